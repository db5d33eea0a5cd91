import type { FoundCommand } from './findings.ts'
import { type ParsedArguments, parseArguments } from './options.ts'
import { findPolicy } from './policies/find-policy.ts'
import type { Policy } from './policies/policy.ts'
import { findReads } from './reading-arguments.ts'
import type { ShellWord } from './types.ts'
import { findWritten } from './written-files.ts'

/** The files that a command opens by its arguments. */
export interface CommandFiles {
  /** Words that name files it reads. */
  readonly reads: readonly ShellWord[]
  /** Words that name files it creates, changes or removes. */
  readonly writes: readonly ShellWord[]
  /** Whether that is all. */
  readonly isComplete: boolean
}

const nothing: CommandFiles = { reads: [], writes: [], isComplete: true }

/** Finds the files of a command; `refusal` says why it is not read-only, if so. */
export function findFiles(command: FoundCommand, refusal: string | undefined): CommandFiles {
  if (command.argv.length === 0) return nothing
  const { program } = command
  if (program === undefined) return { ...nothing, isComplete: false }
  const args = command.argv.slice(1)
  const written = findWritten(program, args)
  if (written) return written
  const policy = findPolicy(program)
  const reads = findReads(program, args)
  if (command.wraps !== undefined) return { ...nothing, reads }
  if (!policy) return { ...nothing, reads, isComplete: refusal === undefined }
  if (program === 'find') return findRoots(args, refusal)
  const files = readFiles(policy, parseArguments(args, policy))
  return {
    ...files,
    reads: [...files.reads, ...reads],
    isComplete: files.isComplete && refusal === undefined && !policy.readsMore,
  }
}

/** Files read under the policy of a program. */
export function readFiles(policy: Policy, parsed: ParsedArguments): CommandFiles {
  if (policy.filesFrom === undefined) return nothing
  const named = (names: string | undefined) => (one: { name: string }) =>
    names?.split(' ').includes(one.name) ?? false
  const from = parsed.options.some(named(policy.patternOptions)) ? 0 : policy.filesFrom
  const values = parsed.options
    .filter(named(policy.fileOptions))
    .flatMap((one) => (one.value ? [one.value] : []))
  const reads = [...values, ...parsed.operands.slice(from)].filter((word) => word.value !== '-')
  const isComplete = parsed.unsure.length === 0 && parsed.options.every((option) => option.isKnown)
  return { reads, writes: [], isComplete }
}

function findRoots(args: readonly ShellWord[], refusal: string | undefined): CommandFiles {
  const end = args.findIndex((word) => /^[-(!]/.test(word.prefix) && !/^-[HLPEXdsx]$|^-O/.test(word.prefix))
  const reads = (end < 0 ? args : args.slice(0, end)).filter((word) => !word.prefix.startsWith('-'))
  return { reads, writes: [], isComplete: refusal === undefined }
}
