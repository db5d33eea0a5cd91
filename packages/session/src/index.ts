export {
  type ControlRequest,
  type ControlResponse,
  type ControlRouter,
  createControlRouter,
} from './control-router.ts'
export { type InterruptReceipt, type Query, type QueryParameters, query } from './query.ts'
export type { QueryOptions, UserInput } from './session-options.ts'
export {
  loadSessionSettings,
  type SessionSettings,
  type SessionSettingsOptions,
  trustFolder,
} from './session-settings.ts'
