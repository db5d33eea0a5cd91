export { type AsyncQueue, createAsyncQueue } from './async-queue.ts'
export { formatDebugRecord } from './format-debug-record.ts'
export { mergeGenerators } from './merge-generators.ts'
export { createBatchToolExecutor, runTools, runToolUse } from './run-tools.ts'
export { createStreamingToolExecutor } from './streaming-tool-executor.ts'
export type {
  BaseContext,
  CallControl,
  Cause,
  Clock,
  DebugRecord,
  ExecutorEvent,
  ExecutorOptions,
  StreamingToolExecutor,
  ToolEndEvent,
  ToolProgressEvent,
  ToolResultEvent,
  ToolRun,
  ToolStartEvent,
} from './types.ts'
