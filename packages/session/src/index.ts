export type { CanUseToolCallback, CanUseToolContext, PermissionResult } from './can-use-tool.ts'
export {
  type ControlRequest,
  type ControlResponse,
  type ControlRouter,
  createControlRouter,
} from './control-router.ts'
export { isPermissionMode, type PermissionMode, permissionModes } from './permission-mode.ts'
export { type InterruptReceipt, type Query, type QueryParameters, query } from './query.ts'
export type { QueryOptions, UserInput } from './session-options.ts'
