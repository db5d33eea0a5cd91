import type { PermissionMode } from './mode.ts'
import type { RuleBehavior, RuleLayer } from './rule.ts'

/** Where an answer is kept. */
export type UpdateDestination = 'session' | 'localSettings' | 'projectSettings' | 'userSettings' | 'cliArg'

/** A rule in the shape of callbacks. */
export interface PermissionRuleValue {
  /** The tool. */
  readonly toolName: string
  /** What stands in the parentheses. */
  readonly ruleContent?: string
}

/** A change of the permissions, as callbacks, hooks and saved answers write it. */
export type PermissionUpdate =
  | {
      /** Adds rules, puts them in place of those of the same behavior and destination, or takes them away. */
      readonly type: 'addRules' | 'replaceRules' | 'removeRules'
      /** The rules. */
      readonly rules: readonly PermissionRuleValue[]
      /** What they do. */
      readonly behavior: RuleBehavior
      /** Where they are kept. */
      readonly destination: UpdateDestination
    }
  | {
      /** Switches the mode. */
      readonly type: 'setMode'
      /** The mode. */
      readonly mode: PermissionMode
      /** Where it is kept. */
      readonly destination: UpdateDestination
    }
  | {
      /** Adds working directories, or takes them away. */
      readonly type: 'addDirectories' | 'removeDirectories'
      /** Absolute paths. */
      readonly directories: readonly string[]
      /** Where they are kept. */
      readonly destination: UpdateDestination
    }

/** The layer that a destination is read back as. */
export const destinationLayers: Readonly<Record<UpdateDestination, RuleLayer>> = {
  session: 'session',
  localSettings: 'local',
  projectSettings: 'project',
  userSettings: 'user',
  cliArg: 'command-line',
}
