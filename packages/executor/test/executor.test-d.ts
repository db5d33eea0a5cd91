import { expectTypeOf, test } from 'vitest'
import {
  type AsyncQueue,
  createAsyncQueue,
  type ExecutorEvent,
  mergeGenerators,
  type StreamingToolExecutor,
  type ToolResultEvent,
  type ToolRun,
} from '../src/index.ts'

declare const executor: StreamingToolExecutor
declare const run: ToolRun

test('events tell themselves apart by their type', () => {
  for (const event of executor.getCompletedResults()) {
    if (event.type === 'tool-result') expectTypeOf(event).toEqualTypeOf<ToolResultEvent>()
    if (event.type === 'tool-progress') expectTypeOf(event.dropped).toEqualTypeOf<number>()
    if (event.type === 'tool-start') expectTypeOf(event).not.toHaveProperty('cause')
  }
})

test('both engines give the same events and the same control', () => {
  expectTypeOf(executor.getRemainingResults()).toEqualTypeOf<AsyncIterable<ExecutorEvent>>()
  expectTypeOf(run).toExtend<AsyncIterable<ExecutorEvent>>()
  expectTypeOf<ToolRun['discard']>().toEqualTypeOf<StreamingToolExecutor['discard']>()
})

test('the queue and the merge keep the type of their values', () => {
  expectTypeOf(createAsyncQueue<string>()).toEqualTypeOf<AsyncQueue<string>>()
  // @ts-expect-error a queue of texts takes no number
  createAsyncQueue<string>().push(1)
  expectTypeOf(mergeGenerators([createAsyncQueue<number>()], 1)).toEqualTypeOf<
    AsyncGenerator<number, void, undefined>
  >()
})
