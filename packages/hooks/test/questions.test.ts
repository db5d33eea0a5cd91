import { createHooks, type HookSource } from '@x/hooks'
import { expect, test } from 'vitest'
import { bash, command, decide } from './helpers.ts'

const asking = (reason?: string): HookSource['hooks'] => ({
  PreToolUse: [
    command({ out: decide('ask', reason === undefined ? {} : { permissionDecisionReason: reason }) }),
  ],
})

test.each<[HookSource['origin'], string]>([
  ['managed', '[settings]'],
  ['user', '[settings]'],
  ['project', '[settings]'],
  ['local', '[settings]'],
  ['command-line', '[settings]'],
  ['agent', '[settings]'],
  ['skill', '[skill]'],
])('a question of a hook of origin %s begins with %s', async (origin = 'user', label) => {
  await using hooks = createHooks([{ hooks: asking('sure?'), origin }])
  expect((await hooks.run('PreToolUse', bash('ls'))).reason).toBe(`${label} sure?`)
})

test('several questions each say whose they are, without a reason too; one of code speaks for the program', async () => {
  const plugin = { name: 'guard', root: '/guard' }
  await using hooks = createHooks([
    { hooks: asking('sure?') },
    { hooks: asking(), origin: 'plugin', plugin },
    { hooks: { PreToolUse: [command({ out: decide('allow', { permissionDecisionReason: 'fine' }) })] } },
  ])
  hooks.on('PreToolUse', () => decide('ask', { permissionDecisionReason: 'by code' }))
  const { reason } = await hooks.run('PreToolUse', bash('ls'))
  expect(reason?.split('\n')).toEqual([
    '[settings] sure?',
    '[plugin:guard] A PreToolUse hook wants to be sure.',
    'by code',
  ])
})
