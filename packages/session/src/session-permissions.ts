import { raceAbort } from '@x/abort'
import { type Authorize, withoutUndefined } from '@x/contract'
import {
  type AuthorizeOptions,
  type CanUseToolCallback,
  createPermissions,
  type PermissionMode,
  type PermissionRule,
  type Permissions,
  type PermissionUpdate,
  parseRule,
  type ReadPermissions,
  splitRuleList,
  toAuthorize,
} from '@x/permissions'
import { createRequestPermission, notifyOfWaiting } from './hooks/permission-hooks.ts'
import type { SessionHooks } from './hooks/session-hooks.ts'
import type { QueryOptions } from './session-options.ts'
import type { SessionSettings } from './session-settings.ts'

/** The permissions of a session, and the door through which its executor asks them. */
export interface SessionPermissions {
  readonly permissions: Permissions
  readonly authorize: Authorize
  /** The same in a mode of its own, and with the hooks that go with it: an agent's. */
  inMode(mode: PermissionMode, hooks?: SessionHooks): Authorize
  /** Lets other settings count from the next call on. */
  useSettings(settings: SessionSettings): void
}

/**
 * Puts together what the options and the settings say about permissions.
 *
 * @throws TypeError for a rule that cannot be read, and for a mode that the settings take away.
 */
export function createSessionPermissions(
  options: QueryOptions,
  cwd: string,
  hooks: SessionHooks,
): SessionPermissions {
  const given = { ...noSettings, ...options.settings?.permissions }
  const mode = findMode(options, given)
  const allowed = readRules('allowedTools', options.allowedTools)
  const ownRules = [
    // Where only managed rules count, the command line allows nothing.
    ...(given.canRemember ? allowed : []),
    ...readRules('disallowedTools', options.disallowedTools),
  ]
  const permissions = createPermissions({
    rules: [...given.rules, ...ownRules],
    mode,
    cwd,
    workingDirectories: [...(options.additionalDirectories ?? []), ...given.additionalDirectories],
    isBypassAvailable: given.mayBypass && isBypassWanted(mode, options),
    isAutoAvailable: given.mayUseAuto,
    canRemember: given.canRemember,
  })
  const authorize = toAuthorize(permissions, authorizeOptions(options, hooks))
  return {
    permissions,
    authorize: reportDecisions(authorize, options.onDecision),
    inMode(mode, own = hooks) {
      const doors = { ...authorizeOptions(options, own), modeOf: () => mode }
      return reportDecisions(toAuthorize(permissions, doors), options.onDecision)
    },
    useSettings: ({ permissions: { rules } }) => permissions.setRules([...rules, ...ownRules]),
  }
}

const noSettings: ReadPermissions = {
  rules: [],
  additionalDirectories: [],
  mayBypass: true,
  mayUseAuto: true,
  canRemember: true,
  problems: [],
}

function findMode({ permissionMode }: QueryOptions, given: ReadPermissions): PermissionMode {
  if (isModeTaken(permissionMode, given))
    throw new TypeError(`permissionMode ${permissionMode} is disabled by the settings`)
  return permissionMode ?? given.defaultMode ?? 'default'
}

/** Whether the settings take a mode away, for the session and its agents. */
export function isModeTaken(
  mode: string | undefined,
  { mayBypass, mayUseAuto }: Pick<ReadPermissions, 'mayBypass' | 'mayUseAuto'> = noSettings,
): boolean {
  return (mode === 'bypassPermissions' && !mayBypass) || (mode === 'auto' && !mayUseAuto)
}

function authorizeOptions(
  { settings, canUseTool, debug }: QueryOptions,
  hooks: SessionHooks,
): AuthorizeOptions {
  return withoutUndefined({
    canUseTool: canUseTool && notifyOfWaiting(asLongAsItMatters(canUseTool), hooks),
    requestPermission: createRequestPermission(hooks, canUseTool !== undefined),
    remember:
      settings?.permissions.canRemember === true
        ? (updates: readonly PermissionUpdate[]) => settings.remember(updates)
        : undefined,
    onProblem: debug,
  })
}

function isBypassWanted(mode: PermissionMode, { allowDangerouslySkipPermissions }: QueryOptions): boolean {
  return mode === 'bypassPermissions' || allowDangerouslySkipPermissions === true
}

function readRules(
  option: 'allowedTools' | 'disallowedTools',
  texts: readonly string[] | undefined,
): readonly PermissionRule[] {
  const behavior = option === 'allowedTools' ? 'allow' : 'deny'
  return (texts ?? []).flatMap(splitRuleList).map((text) => {
    const parsed = parseRule(text)
    if (!parsed.ok) throw new TypeError(`${option}: ${parsed.message}`)
    return { behavior, text, layer: 'command-line' }
  })
}

/** A host may leave its question open when the call is gone: nobody waits for that. */
function asLongAsItMatters(canUseTool: CanUseToolCallback): CanUseToolCallback {
  return (name, input, context) => raceAbort(canUseTool(name, input, context), context.signal)
}

function reportDecisions(authorize: Authorize, onDecision: QueryOptions['onDecision']): Authorize {
  if (onDecision === undefined) return authorize
  const reporting: Authorize = async (call) => {
    const decision = await authorize(call)
    onDecision(call, decision)
    return decision
  }
  if (authorize.prepare !== undefined) reporting.prepare = (call) => authorize.prepare?.(call)
  return reporting
}
