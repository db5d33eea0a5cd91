import * as api from '@x/hooks'
import { expect, test } from 'vitest'

test('exports exactly these names', () => {
  expect(Object.keys(api).sort()).toEqual([
    'createHooks',
    'describeHandler',
    'hookEvents',
    'hooksSection',
    'isHookEventName',
    'selectHookSources',
    'toToolHooks',
  ])
})

test('knows the 33 documented events', () => {
  expect(Object.keys(api.hookEvents).length).toBe(33)
})
