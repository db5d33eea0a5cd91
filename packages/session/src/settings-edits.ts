import { withoutUndefined } from '@x/contract'
import { formatRule, type PermissionRuleValue, type PermissionUpdate, toPermissionMode } from '@x/permissions'
import type { SettingsEdit, WritableLayer } from '@x/settings'

/** Says what answers to permission questions change in settings files, layer by layer; what is for this session alone changes none. */
export function toSettingsEdits(
  updates: readonly PermissionUpdate[],
): ReadonlyMap<WritableLayer, readonly SettingsEdit[]> {
  const groups = new Map<WritableLayer, SettingsEdit[]>()
  for (const update of updates) {
    // A session that asks for nothing is chosen at its start, never for all that follow.
    if (update.type === 'setMode' && !isLastingMode(update.mode)) continue
    const layer = writable[update.destination]
    if (layer !== undefined) groups.set(layer, [...(groups.get(layer) ?? []), toEdit(update)])
  }
  return groups
}

const writable: Readonly<Partial<Record<PermissionUpdate['destination'], WritableLayer>>> = {
  userSettings: 'user',
  projectSettings: 'project',
  localSettings: 'local',
}

function isLastingMode(mode: unknown): boolean {
  const known = toPermissionMode(mode)
  return known !== undefined && known !== 'bypassPermissions'
}

function toEdit(update: PermissionUpdate): SettingsEdit {
  switch (update.type) {
    case 'addRules':
    case 'removeRules':
    case 'replaceRules': {
      const texts = update.rules.map(toText)
      const path = `permissions.${update.behavior}`
      if (update.type === 'replaceRules') return { path, set: texts }
      return update.type === 'addRules' ? { path, add: texts } : { path, remove: texts }
    }
    case 'setMode':
      return { path: 'permissions.defaultMode', set: update.mode }
    case 'addDirectories':
      return { path: 'permissions.additionalDirectories', add: [...update.directories] }
    case 'removeDirectories':
      return { path: 'permissions.additionalDirectories', remove: [...update.directories] }
  }
}

function toText({ toolName, ruleContent }: PermissionRuleValue): string {
  return formatRule(withoutUndefined({ toolName, specifier: ruleContent }))
}
