import { expect, test } from 'vitest'
import * as api from '../src/index.ts'

test('exports exactly these names', () => {
  expect(Object.keys(api).toSorted()).toEqual([
    'createAsyncQueue',
    'createBatchToolExecutor',
    'createStreamingToolExecutor',
    'formatDebugRecord',
    'mergeGenerators',
    'runToolUse',
    'runTools',
  ])
})
