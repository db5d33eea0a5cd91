import * as contract from '@x/contract'
import { expect, test } from 'vitest'

test('exports exactly these names', () => {
  expect(Object.keys(contract).toSorted()).toEqual([
    'DEFAULT_MAX_RESULT_SIZE_CHARS',
    'ModelError',
    'callTool',
    'checkHistory',
    'createSessionState',
    'createToolUseContext',
    'declareCall',
    'defineTool',
    'effortLevels',
    'escapeMarkup',
    'isContinuation',
    'isModelError',
    'reminderText',
    'repairHistory',
    'toEffortLevel',
    'withoutUndefined',
  ])
})
