import * as api from '@x/memory'
import { expect, test } from 'vitest'

test('exports exactly these names', () => {
  expect(Object.keys(api).sort()).toEqual([
    'formatMemory',
    'loadAutoMemory',
    'loadMemory',
    'toInstructionsLoaded',
  ])
})
