import { expect, it } from 'vitest'
import * as api from '../src/index.ts'

it('exports exactly these names', () => {
  expect(Object.keys(api).sort()).toEqual([
    'autoMemoryFolder',
    'checkpointFolder',
    'createControlRouter',
    'isHeadlessSession',
    'loadPlugins',
    'loadSessionSettings',
    'openSessionHooks',
    'openSessionWorktrees',
    'query',
    'readSessionWorktree',
    'resumedAgent',
    'runSetupHooks',
    'stateFolder',
    'trustFolder',
  ])
})
