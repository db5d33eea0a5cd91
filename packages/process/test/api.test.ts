import * as api from '@x/process'
import { expect, test } from 'vitest'

test('exports exactly these names', () => {
  expect(Object.keys(api).sort()).toEqual([
    'createCapture',
    'createOutputDecoder',
    'identifySelf',
    'isExecutable',
    'isProcessAlive',
    'killAllSync',
    'openOutputReader',
    'readOutputFile',
    'runProcess',
    'startProcess',
  ])
})
