import type { OptionTable, ParsedArguments } from '../options.ts'
import type { ShellWord } from '../types.ts'

/** When a program is proven to change nothing, and which files it reads. */
export interface Policy extends OptionTable {
  /**
   * `any`: no option and no operand can write or run anything, so words that are not known do no harm
   * either. `listed`: only the options of the table, and every word must be sure.
   */
  readonly trust: 'any' | 'listed'
  /** Most operands allowed. @default no limit */
  readonly maxOperands?: number
  /**
   * Whether an option behind an operand is refused, because some versions of the program take it for an
   * operand, and an operand more can be a file to write. @default false
   */
  readonly optionsFirst?: boolean
  /** Whether an unquoted pattern of file names is refused. @default false */
  readonly refusesGlobs?: boolean
  /** The operands from this one on are files that it reads. @default none */
  readonly filesFrom?: number
  /** Options with which the first operand is a file too (`grep -e`). */
  readonly patternOptions?: string
  /** Options whose values are files that it reads, separated by blanks, with dashes. */
  readonly fileOptions?: string
  /** Whether it may read files that its arguments do not name. @default false */
  readonly readsMore?: boolean
  /** Says why the command is not read-only after all. */
  readonly refuse?: (parsed: ParsedArguments, words: readonly ShellWord[]) => string | undefined
}

/** A program that can do no harm whatever its arguments. */
export function harmless(options: Omit<Policy, 'trust'> = {}): Policy {
  return { trust: 'any', ...options }
}

/** A program that is harmless with the listed options only. */
export function listed(options: Omit<Policy, 'trust'>): Policy {
  return { trust: 'listed', ...options }
}
