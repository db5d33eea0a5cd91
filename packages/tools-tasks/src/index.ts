export type { FileTail } from './read-tail.ts'
export {
  createTaskOutputTool,
  type TaskOutputOperations,
  type TaskOutputResult,
  type TaskOutputTool,
  type TaskOutputToolOptions,
} from './task-output-tool.ts'
export { createTaskRegistry, type TaskRegistryOptions } from './task-registry.ts'
export {
  createTaskStopTool,
  type TaskStopResult,
  type TaskStopTool,
  type TaskStopToolOptions,
} from './task-stop-tool.ts'
