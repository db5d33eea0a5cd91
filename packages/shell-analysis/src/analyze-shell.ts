import type { Statement } from 'unbash'
import { findExitCommand } from './exit-command.ts'
import { type CommandFiles, findFiles } from './files.ts'
import { addProblem, createFindings, type Findings } from './findings.ts'
import { refuseCommand } from './judge-command.ts'
import { maxParsedLength, maxUnderstoodLength } from './limits.ts'
import { findOneFile } from './reads-one-file.ts'
import { isDiscarded } from './redirection.ts'
import type { FileAccess, ShellAnalysis, ShellNote, ShellWord } from './types.ts'
import { walkScript } from './walk.ts'

/**
 * Tells from the text of a Bash command what it would run, read and write.
 *
 * Runs nothing, looks at no file and never throws: what cannot be told makes `isUnderstood` false, and
 * then `isReadOnly` is false too. The time is linear in the length; over 10,000 characters nothing is
 * called understood.
 *
 * @example
 * analyzeShell('git status && rm -rf x').commands.map((command) => command.program) // ['git', 'rm']
 */
export function analyzeShell(command: string): ShellAnalysis {
  const findings = createFindings(command)
  const statements = walk(command, findings)
  const judged = findings.commands.map((found) => {
    const refusal = refuseCommand(found)
    return { found, refusal, files: findFiles(found, refusal) }
  })
  const isUnderstood = findings.problems.length === 0
  const effects = [...findings.effects, ...judged.flatMap(noteRefusal), ...noteWrites(findings)]
  const { reads, writes } = collectFiles(findings, judged)
  return {
    source: command,
    isUnderstood,
    problems: findings.problems,
    isReadOnly: isUnderstood && effects.length === 0,
    effects,
    commands: judged.map(({ found, refusal, files }) => ({
      ...found,
      isReadOnly: refusal === undefined,
      areFilesKnown: files.isComplete,
    })),
    redirections: findings.redirections.map((one) => one.redirection),
    reads,
    writes,
    areFilesKnown: isUnderstood && judged.every(({ files }) => files.isComplete),
    ...factsOf(findings),
    exitCommand: findExitCommand(statements, findings.commands),
    readsOneFile: isUnderstood ? findOneFile(findings) : undefined,
  }
}

interface Judged {
  readonly found: Findings['commands'][number]
  readonly refusal: string | undefined
  readonly files: CommandFiles
}

function walk(command: string, findings: Findings): Statement[] {
  const all = { start: 0, end: command.length }
  if (command.length > maxUnderstoodLength) addProblem(findings, 'Too long', all)
  if (command.length > maxParsedLength) return []
  try {
    const scope = { source: command, place: undefined, via: [], depth: 0, startedBy: undefined }
    const statements = walkScript(command, scope, findings)
    if (mayRunSubscript(command, findings)) addProblem(findings, 'A subscript may run a command', all)
    return statements
  } catch (error) {
    // The parser is code of others: its failure must not become ours, nor a command that passes.
    addProblem(findings, `The parser failed: ${error instanceof Error ? error.message : String(error)}`, all)
    return []
  }
}

const evaluators = new Set(
  'let declare typeset local readonly export unset printf read wait test ['.split(' '),
)

/** `x='a[$(command)]'; ((x))` runs the command: text like a subscript is data until arithmetic meets it. */
function mayRunSubscript(command: string, findings: Findings): boolean {
  const evaluates = findings.evaluates || findings.commands.some((one) => evaluators.has(one.program ?? ''))
  return evaluates && /\w\[[^[\]\n]*(\$\(|`|\$\{)/.test(command)
}

function noteRefusal({ found, refusal }: Judged): ShellNote[] {
  return refusal === undefined ? [] : [{ message: refusal, span: found.span, command: found.index }]
}

function noteWrites({ redirections }: Findings): ShellNote[] {
  return redirections
    .filter(({ redirection }) => redirection.effect === 'write' && !isDiscarded(redirection))
    .map(({ redirection, command }) => ({
      message: `Writes to ${redirection.target?.text ?? 'a file'}`,
      span: redirection.span,
      command,
    }))
}

function collectFiles(
  findings: Findings,
  judged: readonly Judged[],
): { reads: FileAccess[]; writes: FileAccess[] } {
  return {
    reads: [...byArgument(judged, 'reads'), ...byRedirection(findings, 'read')],
    writes: [...byArgument(judged, 'writes'), ...byRedirection(findings, 'write')],
  }
}

function byArgument(judged: readonly Judged[], kind: 'reads' | 'writes'): FileAccess[] {
  return judged.flatMap(({ found, files }) =>
    files[kind]
      .filter((word) => !isPipe(word))
      .map((word) => ({ word, path: word.value, command: found.index, by: 'argument' as const })),
  )
}

function byRedirection(findings: Findings, effect: 'read' | 'write'): FileAccess[] {
  return findings.redirections.flatMap(({ redirection, command }): FileAccess[] => {
    const { target: word } = redirection
    if (redirection.effect !== effect || !word || isPipe(word)) return []
    if (effect === 'write' && isDiscarded(redirection)) return []
    return [{ word, path: word.value, command, by: 'redirection' }]
  })
}

/** `<(command)` becomes the name of a pipe. */
function isPipe(word: ShellWord): boolean {
  return word.prefix === '/dev/fd/' && word.value === undefined
}

function factsOf(
  findings: Findings,
): Pick<ShellAnalysis, 'hasBackground' | 'changesDirectory' | 'startsWithSleep' | 'hasGit'> {
  const programs = findings.commands.map((command) => command.program)
  return {
    hasBackground: findings.hasBackground,
    changesDirectory: programs.some((program) => /^(cd|pushd|popd|chdir)$/.test(program ?? '')),
    startsWithSleep: programs[0] === 'sleep',
    hasGit: programs.includes('git'),
  }
}
