import { splitGit } from '../git-command.ts'
import { type OptionTable, type ParsedArguments, parseArguments } from '../options.ts'
import type { ShellWord } from '../types.ts'
import { gitSubcommands } from './git-subcommands.ts'
import type { Policy } from './policy.ts'

/** What a reading subcommand may have. */
export interface GitPolicy extends OptionTable {
  /** Allowed first operands, separated by blanks; `-` for none at all. @default any operand */
  readonly verbs?: string
  /** Most operands. @default no limit */
  readonly maxOperands?: number
  /** Without one of these options `maxOperands` holds; with it operands are patterns. */
  readonly listing?: string
}

/**
 * Subcommands that read, with the options known to do no harm. Filters, external diffs and the monitor
 * of the work tree set in the configuration of a repository can still run programs: reading forms of git
 * count as read-only by contract.
 */
export const gitPolicy: Policy = { trust: 'any', readsMore: true, refuse: (_parsed, args) => refuseGit(args) }

const harmlessGlobals = new Set([
  '--no-pager',
  '--no-optional-locks',
  '--version',
  '--literal-pathspecs',
  '--no-replace-objects',
  '-P',
  '-v',
])

function refuseGit(args: readonly ShellWord[]): string | undefined {
  const { options, subcommand, operands, unsure } = splitGit(args)
  if (unsure || args.some((word) => word.hasGlob || word.splits))
    return 'An expansion may become an option of git'
  const option = options.find((one) => !harmlessGlobals.has(one.name))
  if (option) return `git ${option.name} may change what runs`
  if (!subcommand) return options.length === 0 ? 'git without a subcommand' : undefined
  const policy = gitSubcommands.get(subcommand.value ?? '')
  // `git help X`, `git --help X` and `git X --help` open a pager or a browser.
  return policy
    ? refuseSubcommand(subcommand.text, policy, operands)
    : `git ${subcommand.text} is not known to read only`
}

function refuseSubcommand(name: string, policy: GitPolicy, words: readonly ShellWord[]): string | undefined {
  const parsed = parseArguments(words, policy)
  const strange = parsed.options.find((one) => !one.isKnown)
  if (strange) return `git ${name} ${strange.name} is not known to read only`
  if (parsed.unsure.length > 0) return 'An expansion may become an option of git'
  // Versions of git differ in which options take the next word; where they do not, it is an option of its own.
  const doubtful = parsed.options.find(({ value }) => value?.prefix.startsWith('-') && words.includes(value))
  if (doubtful) return `What stands behind git ${name} ${doubtful.name} may be an option`
  return fitsOperands(policy, parsed) ? undefined : `git ${name} with these operands may change something`
}

function fitsOperands({ verbs, maxOperands, listing }: GitPolicy, parsed: ParsedArguments): boolean {
  const { options, operands } = parsed
  // An unknown verb is in no list.
  const verb = operands.length === 0 ? '-' : (operands[0]?.value ?? '')
  if (verbs !== undefined && !verbs.split(' ').includes(verb)) return false
  if (maxOperands === undefined || operands.length <= maxOperands) return true
  return options.some((one) => listing?.split(' ').includes(one.name))
}
