import * as api from '@x/permissions'
import { expect, test } from 'vitest'

test('exports exactly these names', () => {
  expect(Object.keys(api).sort()).toEqual([
    'createMatchRule',
    'createPermissions',
    'createPromptToolCallback',
    'explain',
    'formatRule',
    'isKnownTool',
    'isPermissionAnswer',
    'parseCall',
    'parseRule',
    'parseRuleTests',
    'permissionModes',
    'permissionsSection',
    'readPermissions',
    'ruleLayers',
    'runRuleTests',
    'splitRuleList',
    'toAuthorize',
    'toPermissionMode',
  ])
})
