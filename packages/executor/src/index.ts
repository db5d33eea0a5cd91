export type {
  BaseContext,
  Cause,
  DebugRecord,
  ExecutorEvent,
  ExecutorOptions,
  StreamingToolExecutor,
  ToolResultEvent,
} from './types.ts'
