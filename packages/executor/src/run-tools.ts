import type { AssistantMessage, ToolUseBlock } from '@x/contract'
import { Engine } from './engine.ts'
import { rules } from './rules.ts'
import { viewEngine } from './streaming-tool-executor.ts'
import type { ExecutorEvent, ExecutorOptions, StreamingToolExecutor, ToolRun } from './types.ts'

/**
 * Runs the calls of a message that is there as a whole, on the batch engine.
 *
 * The rules are those of the streaming executor, with one difference: context modifiers of calls that ran side by side
 * apply too, together and in call order, after their run. Leaving the iteration early discards what is open.
 *
 * @throws RangeError if `endGraceMs` is negative or no number.
 */
export function runTools(
  blocks: readonly ToolUseBlock[],
  parentMessage: AssistantMessage,
  options: ExecutorOptions,
): ToolRun {
  const engine = new Engine(options, { rules, isBatch: true })
  for (const block of blocks) engine.add(block, parentMessage)
  engine.close()
  return viewRun(engine)
}

/**
 * Creates the batch engine behind the methods of the streaming one, so that a loop can change between them.
 *
 * Nobody begins before `getRemainingResults`, which says that all calls are there.
 *
 * @throws RangeError if `endGraceMs` is negative or no number.
 */
export function createBatchToolExecutor(options: ExecutorOptions): StreamingToolExecutor {
  return viewEngine(new Engine(options, { rules, isBatch: true }))
}

/**
 * Runs one call: progress as it comes, then the result, then nothing more.
 *
 * @throws RangeError if `endGraceMs` is negative or no number.
 */
export function runToolUse(
  block: ToolUseBlock,
  parentMessage: AssistantMessage,
  options: ExecutorOptions,
): ToolRun {
  return runTools([block], parentMessage, options)
}

/** The public face of an engine whose calls are all known. */
function viewRun(engine: Engine): ToolRun {
  return {
    [Symbol.asyncIterator]: () => iterate(engine),
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

async function* iterate(engine: Engine): AsyncGenerator<ExecutorEvent, void, undefined> {
  try {
    yield* engine.remaining()
  } finally {
    engine.discard()
  }
}
