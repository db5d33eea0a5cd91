import { getEventListeners } from 'node:events'
import { readdirSync } from 'node:fs'
import { createHooks } from '@x/hooks'
import { expect, test, vi } from 'vitest'
import { bash, command, temporaryFolder } from './helpers.ts'

test('a run leaves no listener on its signal, no descriptor and no folder', async () => {
  using folder = temporaryFolder()
  vi.stubEnv('TMPDIR', folder.path)
  const { signal } = new AbortController()
  const handlers = [
    command('true'),
    command('sleep 9', { timeout: 0.05 }),
    command(`echo '{"async":true}'`),
    command('exit 2'),
    { type: 'prompt', prompt: 'p' },
  ]
  const hooks = createHooks([
    { hooks: { PreToolUse: [{ hooks: handlers }], SessionStart: [{ hooks: handlers }] } },
  ])
  hooks.on('PreToolUse', () => undefined)
  const descriptors = (): number => readdirSync('/proc/self/fd').length
  await hooks.run('PreToolUse', bash('ls'), { signal })
  const before = descriptors()
  for (let round = 0; round < 5; round += 1) {
    await hooks.run('PreToolUse', bash('ls'), { signal })
    await hooks.run('SessionStart', { source: 'startup' }, { signal })
  }
  await hooks[Symbol.asyncDispose]()
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(descriptors()).toBeLessThanOrEqual(before)
  expect(readdirSync(folder.path)).toEqual([])
  vi.unstubAllEnvs()
})

test('disposing twice, and running nothing, is harmless', async () => {
  const hooks = createHooks({})
  await hooks[Symbol.asyncDispose]()
  await hooks[Symbol.asyncDispose]()
  expect((await hooks.run('Stop', { stop_hook_active: false })).handlers).toEqual([])
})
