import { isSettingsError, loadSettings, SettingsError, settingsEnvironment } from '@x/settings'
import { expect, test } from 'vitest'
import { makeWorld, optionsOf } from './world.ts'

test('the env blocks of all layers are one environment; the stronger layer wins (cli.md 6)', async () => {
  const world = makeWorld()
  world.write('~/.claude/settings.json', { env: { A: 'user', B: 1, C: true } })
  world.write('@/.claude/settings.json', {
    env: { A: 'project', D: null, E: ['x'], 'F=': 'f', '': 'g', H: '\0' },
  })
  expect(settingsEnvironment(await loadSettings(optionsOf(world)))).toEqual({
    A: 'project',
    B: '1',
    C: 'true',
  })
})

test('an env block of another shape is no environment', async () => {
  for (const env of [5, null, ['A=1']]) {
    expect(
      settingsEnvironment(await loadSettings({ ...optionsOf(makeWorld()), flagSettings: { env } })),
    ).toEqual({})
  }
})

test('errors are known by their brand', () => {
  expect(isSettingsError(new SettingsError('write-failed', 'x', { file: 'f' }))).toBe(true)
  expect([isSettingsError(new Error('x')), isSettingsError('x')]).toEqual([false, false])
})
