import * as main from '@x/model-anthropic'
import * as testing from '@x/model-anthropic/testing'
import { expect, test } from 'vitest'

test('the entry exports exactly these names', () => {
  expect(Object.keys(main).sort()).toEqual([
    'createAnthropicModel',
    'modelLimits',
    'proxyEnvironment',
    'readAnthropicEnvironment',
    'resolveModelName',
    'supportedEffort',
  ])
})

test('the testing entry exports exactly these names', () => {
  expect(Object.keys(testing).sort()).toEqual([
    'block',
    'cut',
    'delay',
    'error',
    'event',
    'lastText',
    'message',
    'ping',
    'redacted',
    'silence',
    'startScriptedServer',
    'status',
    'stop',
    'text',
    'thinking',
    'toolResults',
    'toolUse',
  ])
})
