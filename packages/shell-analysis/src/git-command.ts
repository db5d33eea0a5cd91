import { type FoundOption, parseArguments } from './options.ts'
import type { ShellWord } from './types.ts'

/** A `git` command line in its parts. */
interface GitCommand {
  /** Options in front of the subcommand. */
  readonly options: readonly FoundOption[]
  /** The subcommand. */
  readonly subcommand: ShellWord | undefined
  /** Everything behind the subcommand, its options included. */
  readonly operands: readonly ShellWord[]
  /** A word that hides where the subcommand stands or which it is. */
  readonly unsure: ShellWord | undefined
}

const globalOptions = {
  short: 'C:c:pPvh',
  long: 'version help html-path man-path info-path paginate no-pager no-replace-objects no-lazy-fetch no-optional-locks no-advice bare literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs exec-path:: git-dir: work-tree: namespace: config-env: super-prefix: attr-source: list-cmds:',
  stopsAtOperand: true,
}

/** Splits the words behind `git`. */
export function splitGit(rest: readonly ShellWord[]): GitCommand {
  const { options, operands, unsure } = parseArguments(rest, globalOptions)
  const [subcommand, ...others] = operands
  const hidden = subcommand && subcommand.value === undefined ? subcommand : unsure[0]
  return { options, subcommand, operands: others, unsure: hidden }
}
