import type { Settings } from './settings.ts'
import type { SettingsSections } from './settings-file.ts'

/**
 * The `env` block of settings as environment variables: it applies like exports.
 *
 * Numbers and booleans become text; anything else is left out, and so is a name that no environment can hold.
 */
export function settingsEnvironment<Sections extends SettingsSections>(
  settings: Settings<Sections>,
): Readonly<Record<string, string>> {
  const block: unknown = settings.value['env']
  if (typeof block !== 'object' || block === null || Array.isArray(block)) return {}
  return Object.fromEntries(
    Object.entries(block).flatMap(([name, value]: [string, unknown]) => {
      const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      const isPossible = /^[^=\0]+$/.test(name) && !String(value).includes('\0')
      return isPlain && isPossible ? [[name, String(value)]] : []
    }),
  )
}
