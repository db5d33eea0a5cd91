import { expect, test } from 'vitest'
import * as loop from '../src/index.ts'

test('exports exactly these names', () => {
  expect(Object.keys(loop).sort()).toEqual([
    'assertLimits',
    'builtInPrices',
    'builtInPricesDate',
    'createCompactor',
    'createMeter',
    'createToolDefinitions',
    'isSummaryText',
    'runCompaction',
    'runQuery',
  ])
})
