import { Engine } from './engine.ts'
import { rules } from './rules.ts'
import type { ExecutorOptions, StreamingToolExecutor } from './types.ts'

/**
 * Creates the executor for the calls of one assistant message.
 *
 * A call begins as soon as it is added and may begin; results come out in the order of the calls.
 *
 * @throws RangeError if `endGraceMs` is negative or no number.
 */
export function createStreamingToolExecutor(options: ExecutorOptions): StreamingToolExecutor {
  return viewEngine(new Engine(options, { rules, isBatch: false }))
}

/** The public face of an engine. */
export function viewEngine(engine: Engine): StreamingToolExecutor {
  return {
    addTool(block, parentMessage, { inputError } = {}) {
      engine.add(block, parentMessage, inputError)
      engine.start()
    },
    getCompletedResults: () => engine.ready(),
    getRemainingResults() {
      engine.close()
      return engine.remaining()
    },
    cancelQueued: (message) => engine.cancelQueued(message),
    interrupt: () => engine.interrupt(),
    discard: () => engine.discard(),
    get hasEffects() {
      return engine.hasEffects
    },
    get context() {
      return engine.context
    },
    get settled() {
      return engine.settled
    },
    async [Symbol.asyncDispose]() {
      engine.discard()
      await engine.settled
    },
  }
}
