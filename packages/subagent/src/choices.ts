import type { AgentDefinition } from './definition.ts'

/** An environment; only values that are set and not empty count. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Chooses the model of an agent: the environment, the call, the definition, then the main model. `inherit` is no choice. */
export function chooseModel(
  env: Environment,
  wishes: { readonly call?: string; readonly definition?: string; readonly main: string },
): string {
  const fromEnvironment = env['CLAUDE_CODE_SUBAGENT_MODEL']?.trim()
  const wanted = [fromEnvironment, wishes.call, wishes.definition]
  return wanted.find((model) => model !== undefined && model !== '' && model !== 'inherit') ?? wishes.main
}

/** Modes of a parent that a definition does not narrow. */
const wideModes = new Set(['bypassPermissions', 'acceptEdits', 'auto'])

/** Chooses the permission mode: the parent's, unless the definition names one and the parent's is not a wide one. */
export function choosePermissionMode(
  parentMode: string,
  wanted: AgentDefinition['permissionMode'],
  isDisabled: (mode: string) => boolean,
): string {
  if (wanted === undefined || wideModes.has(parentMode)) return parentMode
  return isDisabled(wanted) ? parentMode : wanted
}

/** Chooses whether anybody waits: yes, unless forks are on, or the call or the definition says background, and that is possible. */
export function chooseBackground(
  env: Environment,
  wishes: {
    readonly call?: boolean
    readonly definition?: boolean
    readonly isPossible: boolean
    readonly isForkMode?: boolean
  },
): boolean {
  if (!wishes.isPossible || env['CLAUDE_CODE_DISABLE_BACKGROUND_TASKS'] === '1') return false
  return wishes.isForkMode === true || wishes.definition === true || wishes.call === true
}
