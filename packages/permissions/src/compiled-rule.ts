import type { JsonObject } from '@x/contract'
import type { CommandPattern } from './command-pattern.ts'
import type { Disk } from './disk.ts'
import type { FoundPath, Places } from './places.ts'
import type { PermissionRule } from './rule.ts'

/** What a rule says about the calls of its tool. */
export type Matcher =
  /** Every call. */
  | { readonly kind: 'any' }
  /** Shell commands. */
  | { readonly kind: 'command'; readonly pattern: CommandPattern }
  /** Files. */
  | {
      readonly kind: 'path'
      /** Does the rule speak about the file? */
      matches(path: FoundPath, places: Places, disk: Disk): boolean
      /** The absolute paths one of which every file it speaks about begins with; undefined where it may be any. */
      beginnings(places: Places, disk: Disk): readonly string[] | undefined
      /** Files and folders that it names without signs of patterns, as they may stand below a folder. */
      namedFiles(root: string, places: Places): readonly string[]
    }
  /** Hosts, types of agents, skills: one text. */
  | { readonly kind: 'text'; matches(text: string): boolean }
  /** One field of the input. */
  | { readonly kind: 'field'; readonly field: string; matches(input: JsonObject): boolean }

/** A rule, ready to be asked. */
export interface CompiledRule {
  /** The rule as written. */
  readonly rule: PermissionRule
  /** The tool it speaks about: canonical name, server or pattern of names. */
  readonly toolName: string
  /** What it says. */
  readonly matcher: Matcher
}
