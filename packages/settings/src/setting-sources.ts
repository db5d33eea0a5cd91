import type { SettingSource } from './layers.ts'

const sources: readonly SettingSource[] = ['user', 'project', 'local']

/**
 * Reads the value of `--setting-sources`: names joined by commas; nothing for none.
 *
 * @throws RangeError if a name is not one of user, project and local.
 *
 * @example
 * parseSettingSources('user,project') // ['user', 'project']
 */
export function parseSettingSources(text: string): readonly SettingSource[] {
  const names = text.split(',').map((name) => name.trim())
  return names.filter((name) => name !== '').map(toSource)
}

function toSource(name: string): SettingSource {
  const source = sources.find((one) => one === name)
  if (source === undefined) {
    throw new RangeError(`setting sources must be ${sources.join(', ')}, not ${JSON.stringify(name)}`)
  }
  return source
}
