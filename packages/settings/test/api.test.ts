import * as api from '@x/settings'
import { expect, test } from 'vitest'

test('exports exactly these names', () => {
  expect(Object.keys(api).sort()).toEqual([
    'SettingsError',
    'applyTrust',
    'createTrustStore',
    'isSettingsError',
    'isTrusted',
    'loadSettings',
    'managedSettingsFolder',
    'parseSettingSources',
    'settingsEnvironment',
    'trustPolicy',
    'updateSettings',
    'updateSettingsFile',
    'watchSettings',
  ])
})
