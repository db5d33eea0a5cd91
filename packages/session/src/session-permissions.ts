import type { Authorize } from '@x/contract'
import { withoutUndefined } from '@x/contract'
import {
  type CanUseToolCallback,
  createPermissions,
  type PermissionMode,
  type PermissionRule,
  type Permissions,
  parseRule,
  splitRuleList,
  toAuthorize,
} from '@x/permissions'
import { beforeAbort } from './before-abort.ts'
import type { QueryOptions } from './session-options.ts'

/** The permissions of a session, and the door through which its executor asks them. */
export interface SessionPermissions {
  readonly permissions: Permissions
  readonly authorize: Authorize
}

/**
 * Puts together what the options and the settings say about permissions.
 *
 * @throws TypeError for a rule that cannot be read, and for `bypassPermissions` where the settings take it away.
 */
export function createSessionPermissions(options: QueryOptions, cwd: string): SessionPermissions {
  const { settings, canUseTool, additionalDirectories = [] } = options
  const given = settings?.permissions
  const mayBypass = given?.mayBypass ?? true
  const mode = options.permissionMode ?? given?.defaultMode ?? 'default'
  if (mode === 'bypassPermissions' && !mayBypass) {
    throw new TypeError('permissionMode bypassPermissions is disabled by the settings')
  }
  const permissions = createPermissions({
    rules: [
      ...(given?.rules ?? []),
      ...readRules(options.allowedTools ?? [], 'allow'),
      ...readRules(options.disallowedTools ?? [], 'deny'),
    ],
    mode,
    cwd,
    workingDirectories: [...additionalDirectories, ...(given?.additionalDirectories ?? [])],
    isBypassAvailable: mayBypass && isBypassWanted(mode, options),
    canRemember: given?.canRemember ?? true,
  })
  const authorize = toAuthorize(
    permissions,
    withoutUndefined({
      canUseTool: canUseTool && asLongAsItMatters(canUseTool),
      remember:
        settings && ((updates: Parameters<typeof settings.remember>[0]) => settings.remember(updates)),
      onProblem: options.debug,
    }),
  )
  return { permissions, authorize: reportDecisions(authorize, options.onDecision) }
}

function isBypassWanted(mode: PermissionMode, { allowDangerouslySkipPermissions }: QueryOptions): boolean {
  return mode === 'bypassPermissions' || allowDangerouslySkipPermissions === true
}

function readRules(texts: readonly string[], behavior: 'allow' | 'deny'): readonly PermissionRule[] {
  return texts.flatMap(splitRuleList).map((text) => {
    const parsed = parseRule(text)
    if (!parsed.ok) throw new TypeError(`${text} is not a tool rule: ${parsed.message}`)
    return { behavior, text, layer: 'command-line' }
  })
}

/** A host may leave its question open when the call is gone: nobody waits for that. */
function asLongAsItMatters(canUseTool: CanUseToolCallback): CanUseToolCallback {
  return (name, input, context) => beforeAbort(context.signal, canUseTool(name, input, context))
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
