export type { AgentFilesToFollow } from './agents/follow-agents.ts'
export {
  type ControlHost,
  type ControlRequest,
  type ControlResponse,
  type ControlRouter,
  createControlRouter,
} from './control-router.ts'
export type { HookCallbackGroup, HookCallbacks, SessionHookCallback } from './hooks/hook-callbacks.ts'
export type { SessionHookSettings } from './hooks/hook-settings.ts'
export type { CallHostHook } from './hooks/host-hooks.ts'
export { openSessionHooks, runSetupHooks } from './inspect-hooks.ts'
export { isHeadlessSession, type ResumedAgentOptions, resumedAgent } from './log/session-state.ts'
export { autoMemoryFolder } from './notes/auto-memory-folder.ts'
export { type LoadPluginsOptions, loadPlugins } from './plugins/load-plugins.ts'
export type { LoadedPlugins, Plugin, PluginProblem } from './plugins/plugin.ts'
export { type AgentListing, type InterruptReceipt, type Query, type QueryParameters, query } from './query.ts'
export type { RewindFilesOptions } from './rewind-files.ts'
export { checkpointFolder } from './session-checkpoints.ts'
export type { QueryOptions, SessionNotice, UserInput } from './session-options.ts'
export {
  loadSessionSettings,
  type SessionSettings,
  type SessionSettingsOptions,
  type SettingsWatcher,
  trustFolder,
} from './session-settings.ts'
export { stateFolder } from './state-folder.ts'
export {
  openSessionWorktrees,
  readSessionWorktree,
  type SessionWorktrees,
} from './worktrees/inspect-worktrees.ts'
