export { isSettingsError, SettingsError, type SettingsErrorCode, type SettingsErrorFacts } from './errors.ts'
export type { PathStep } from './json-node.ts'
export type { LayerName, SettingSource, WritableLayer } from './layers.ts'
export { loadSettings, type SettingsOptions } from './load-settings.ts'
export type {
  KeyPath,
  SettingEntry,
  SettingOrigin,
  Settings,
  SettingsFile,
  SettingsLayer,
  SettingsPart,
  SettingsValue,
} from './settings.ts'
export type { SettingsProblem, SettingsSections } from './settings-file.ts'
