import * as api from '@x/abort'
import { expect, test } from 'vitest'

test('exports exactly these names', () => {
  expect(Object.keys(api).sort()).toEqual([
    'AbortReason',
    'TimeoutReason',
    'abortReasonOf',
    'anySignal',
    'createAbortController',
    'createChildAbortController',
    'createTimeoutAbortController',
    'isAbortReason',
    'raceAbort',
  ])
})
