import type { PermissionRule, RuleLayer } from './rule.ts'

const names: Readonly<Record<RuleLayer, string>> = {
  managed: 'managed settings',
  'command-line': 'command line',
  local: 'local settings',
  project: 'project settings',
  user: 'user settings',
  session: 'this session',
}

/** Says for people where a rule comes from. */
export function describeSource({ layer = 'session', file }: PermissionRule): string {
  return file === undefined ? names[layer] : `${names[layer]}, ${file}`
}
