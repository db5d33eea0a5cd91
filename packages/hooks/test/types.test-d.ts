import { createHooks, type HookOutput } from '@x/hooks'
import { expectTypeOf, test } from 'vitest'

const hooks = createHooks({
  PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }],
})

test('the input has the fields of its event', () => {
  // @ts-expect-error tool_name is missing
  void hooks.run('PreToolUse', { tool_input: {}, tool_use_id: '1' })
  // @ts-expect-error no such event
  void hooks.run('PreToolUze', {})
  hooks.on('PreToolUse', (input) => {
    expectTypeOf(input.tool_name).toEqualTypeOf<string>()
    expectTypeOf(input.session_id).toEqualTypeOf<string>()
    expectTypeOf(input.hook_event_name).toEqualTypeOf<'PreToolUse'>()
  })
})

test('the output has the fields of its event', async () => {
  const { fields } = await hooks.run('SessionStart', { source: 'startup' })
  expectTypeOf(fields.watchPaths).toEqualTypeOf<string[] | undefined>()
  expectTypeOf<HookOutput<'PreToolUse'>['permissionDecision']>().toEqualTypeOf<
    'allow' | 'ask' | 'defer' | 'deny' | undefined
  >()
})

test('a configuration takes both spellings and no unknown kinds', () => {
  createHooks({ Stop: [{ type: 'prompt', prompt: 'p' }] })
  // @ts-expect-error no such kind
  createHooks({ Stop: [{ type: 'shell', command: 'c' }] })
})
