import type { ExecutorOptions, StreamingToolExecutor } from '@x/executor'
import type { QueryOptions } from './types.ts'

/** Creates the executor of one message. */
export function createExecutor(options: QueryOptions, executor: ExecutorOptions): StreamingToolExecutor {
  if (options.createExecutor === undefined) throw new TypeError('createExecutor is missing')
  return options.createExecutor(executor)
}
