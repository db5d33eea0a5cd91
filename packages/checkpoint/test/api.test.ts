import * as api from '@x/checkpoint'
import { expect, test } from 'vitest'

test('exports exactly these names', () => {
  expect(Object.keys(api).sort()).toEqual([
    'CheckpointError',
    'createCheckpoints',
    'isCheckpointError',
    'toRewindFilesResponse',
  ])
})
