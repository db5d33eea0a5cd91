export type { AddEdit, RemoveEdit, SetEdit, SettingsEdit, UnsetEdit } from './apply-edit.ts'
export { applyTrust, type HeldPart, isTrusted, type Trust, type TrustedSettings } from './apply-trust.ts'
export type { SettingsChange, SettingsFileChange, TrackerOptions } from './change-tracker.ts'
export { isSettingsError, SettingsError, type SettingsErrorCode, type SettingsErrorFacts } from './errors.ts'
export type { PathStep } from './json-node.ts'
export type { KeyPath } from './key-path.ts'
export type { LayerName, SettingSource, WritableLayer } from './layers.ts'
export { loadSettings, type SettingsOptions } from './load-settings.ts'
export { parseSettingSources } from './setting-sources.ts'
export type {
  SettingEntry,
  SettingOrigin,
  Settings,
  SettingsFile,
  SettingsLayer,
  SettingsPart,
  SettingsValue,
} from './settings.ts'
export { settingsEnvironment } from './settings-environment.ts'
export type { SettingsProblem, SettingsSections } from './settings-file.ts'
export { managedSettingsFolder } from './settings-places.ts'
export { type TrustPart, type TrustRule, type TrustState, trustPolicy } from './trust-policy.ts'
export { createTrustStore, type FolderTrust, type TrustStore, type TrustStoreOptions } from './trust-store.ts'
export {
  type SettingsUpdate,
  type UpdateOptions,
  updateSettings,
  updateSettingsFile,
} from './update-settings.ts'
export { type WatchedSettings, type WatchSettingsOptions, watchSettings } from './watch-settings.ts'
