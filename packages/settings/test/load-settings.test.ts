import { loadSettings } from '@x/settings'
import { expect, test } from 'vitest'
import { sections } from './sections.ts'
import { makeWorld, optionsOf } from './world.ts'

test('merges all layers', async () => {
  const world = makeWorld()
  world.write(
    '~/.claude/settings.json',
    '// mine\n{"permissions": {"allow": ["A", "B"], "defaultMode": "plan",}, "odd": 1}',
  )
  world.write('@/.claude/settings.json', {
    permissions: { allow: ['B', 'C', 5], defaultMode: 'nope' },
    hooks: {
      PreToolUse: [{ matcher: ['Bash'], hooks: [] }, { hooks: [{ type: 'command' }, 'x', { type: 'odd' }] }],
      PreToolUze: [],
    },
  })
  const settings = await loadSettings({ ...optionsOf(world), sections })
  console.log(
    JSON.stringify(settings.value),
    settings.problems.map((p) => p.message),
    settings.entries('permissions.allow'),
  )
  expect(settings.value.permissions?.allow).toEqual(['A', 'B', 'C'])
})
