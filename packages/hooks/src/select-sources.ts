import type { HookSource } from './hooks-config.ts'

/** The settings that turn whole sources of hooks off. */
export interface HookSwitches {
  /** `disableAllHooks` as it counts after the layers are merged. @default false */
  readonly disableAllHooks?: boolean
  /** `disableAllHooks` of the managed settings alone. @default false */
  readonly managedDisableAllHooks?: boolean
  /** `allowManagedHooksOnly` of the managed settings; present and no boolean counts as true. @default false */
  readonly allowManagedHooksOnly?: unknown
  /** `strictPluginOnlyCustomization` of the managed settings: true, or a list of what may only come from plugins. @default false */
  readonly strictPluginOnlyCustomization?: unknown
}

/** The sources whose hooks count under these switches, in the same order. */
export function selectHookSources(
  sources: readonly HookSource[],
  switches: HookSwitches,
): readonly HookSource[] {
  const { disableAllHooks = false, managedDisableAllHooks = false, allowManagedHooksOnly } = switches
  if (managedDisableAllHooks) return []
  const managedOnly = disableAllHooks || ![undefined, false].includes(toSwitch(allowManagedHooksOnly))
  const pluginsOnly = isStrict(switches.strictPluginOnlyCustomization)
  return sources.filter((source) => {
    if (isManaged(source)) return true
    return !managedOnly && !(pluginsOnly && isOfSettings(source))
  })
}

function toSwitch(value: unknown): boolean | undefined {
  return value === undefined || typeof value === 'boolean' ? value : true
}

function isStrict(value: unknown): boolean {
  return value === true || (Array.isArray(value) && value.includes('hooks'))
}

/** The administrator's own, and plugins that the administrator has turned on. */
function isManaged({ origin, plugin }: HookSource): boolean {
  return origin === 'managed' || plugin?.isManaged === true
}

function isOfSettings({ origin = 'user' }: HookSource): boolean {
  return ['user', 'project', 'local', 'command-line'].includes(origin)
}
