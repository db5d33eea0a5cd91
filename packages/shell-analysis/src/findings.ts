import { maxCommands, maxRescans, minTotalLength } from './limits.ts'
import type { ShellNote, ShellRedirection, SimpleCommand, Span } from './types.ts'

/** A command while the script is walked; what it runs and whether it is read-only follows later. */
export type FoundCommand = Omit<SimpleCommand, 'isReadOnly' | 'areFilesKnown' | 'wraps'> & {
  /** See `SimpleCommand`. */
  wraps: number | undefined
}

/** What one walk over a script collects. */
export interface Findings {
  /** See `ShellAnalysis`. */
  readonly commands: FoundCommand[]
  /** Redirections with the command they belong to. */
  readonly redirections: { readonly redirection: ShellRedirection; readonly command: number | undefined }[]
  /** See `ShellAnalysis`. */
  readonly problems: ShellNote[]
  /** See `ShellAnalysis`. */
  readonly effects: ShellNote[]
  /** Characters that may still be parsed. */
  lengthLeft: number
  /** Levels of the syntax tree above. */
  level: number
  /** See `ShellAnalysis`. */
  hasBackground: boolean
  /** Whether anything evaluates the value of a variable as arithmetic. */
  evaluates: boolean
}

/** Starts with nothing found. */
export function createFindings(command: string): Findings {
  return {
    commands: [],
    redirections: [],
    problems: [],
    effects: [],
    lengthLeft: command.length * maxRescans + minTotalLength,
    level: 0,
    hasBackground: false,
    evaluates: false,
  }
}

/** Notes why the script is not understood. */
export function addProblem(findings: Findings, message: string, span: Span): void {
  if (findings.problems.length < 100) findings.problems.push({ message, span, command: undefined })
}

/** Notes why the script is not read-only. */
export function addEffect(findings: Findings, message: string, span: Span): void {
  if (findings.effects.length < 100) findings.effects.push({ message, span, command: undefined })
}

/** Adds a command unless there are too many, and returns its index. */
export function addCommand(findings: Findings, command: Omit<FoundCommand, 'index'>): number | undefined {
  const index = findings.commands.length
  if (index >= maxCommands) {
    addProblem(findings, 'Too many commands', command.span)
    return undefined
  }
  findings.commands.push({ ...command, index })
  return index
}
