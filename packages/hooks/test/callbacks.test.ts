import { createHooks } from '@x/hooks'
import { describe, expect, test } from 'vitest'
import { bash, decide } from './helpers.ts'

describe('callbacks', () => {
  test('run behind the configured ones, in order of registration, until they are removed', async () => {
    const hooks = createHooks({
      PreToolUse: [{ type: 'command', command: `echo '{"additionalContext":"configured"}'` }],
    })
    hooks.on('PreToolUse', () => ({ additionalContext: 'first' }))
    const undo = hooks.on('PreToolUse', { matcher: 'Bash' }, async () => ({ additionalContext: 'second' }))
    hooks.on('PreToolUse', { matcher: 'Edit' }, () => ({ additionalContext: 'never' }))
    expect((await hooks.run('PreToolUse', bash('ls'))).context).toEqual(['configured', 'first', 'second'])
    undo()
    undo()
    expect((await hooks.run('PreToolUse', bash('ls'))).context).toEqual(['configured', 'first'])
  })

  test('get the whole input, as a copy', async () => {
    const hooks = createHooks({}, { common: () => ({ session_id: 's', cwd: '/c', permission_mode: 'plan' }) })
    const seen: unknown[] = []
    hooks.on('PreToolUse', (input) => {
      seen.push({ ...input })
      input.tool_input['command'] = 'changed'
    })
    hooks.on('SessionStart', (input) => {
      seen.push({ ...input })
    })
    const input = bash('ls')
    await hooks.run('PreToolUse', input)
    // Who runs them may know a closer one; where none is told, none is.
    await hooks.run('PreToolUse', { ...input, permission_mode: 'dontAsk' })
    await hooks.run('SessionStart', { source: 'startup', permission_mode: 'dontAsk' })
    expect(input.tool_input).toEqual({ command: 'ls' })
    expect(seen).toEqual([
      {
        session_id: 's',
        transcript_path: '',
        cwd: '/c',
        permission_mode: 'plan',
        hook_event_name: 'PreToolUse',
        ...bash('changed'),
        tool_input: expect.anything(),
      },
      expect.objectContaining({ hook_event_name: 'PreToolUse', permission_mode: 'dontAsk' }),
      { session_id: 's', transcript_path: '', cwd: '/c', hook_event_name: 'SessionStart', source: 'startup' },
    ])
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('boom')
      },
      /boom/,
    ],
    ['rejects', () => Promise.reject(new Error('boom')), /boom/],
    [
      'throws nothing in particular',
      () => {
        throw undefined
      },
      /undefined/,
    ],
    ['gives an answer that is not valid', () => ({ decision: 7 }), /not valid/],
  ])('one that %s is told and stops nothing', async (_, callback, error) => {
    const hooks = createHooks({})
    hooks.on('PreToolUse', { name: 'mine' }, callback)
    hooks.on('PreToolUse', () => decide('allow'))
    const result = await hooks.run('PreToolUse', bash('ls'))
    expect(result.outcome).toBe('allow')
    expect(result.errors).toEqual([expect.stringMatching(error)])
    expect(result.errors[0]).toMatch(/\[mine\]/)
  })

  test('one that is late blocks a call and a prompt, and nothing else', async () => {
    const hooks = createHooks({})
    const never = (): Promise<never> => new Promise(() => {})
    for (const event of ['PreToolUse', 'UserPromptSubmit', 'Stop'] as const)
      hooks.on(event, { timeoutMs: 20 }, never)
    expect((await hooks.run('PreToolUse', bash('ls'))).outcome).toBe('deny')
    expect((await hooks.run('UserPromptSubmit', { prompt: 'p' })).outcome).toBe('block')
    expect(await hooks.run('Stop', { stop_hook_active: false })).toMatchObject({
      outcome: 'none',
      errors: [/timed out/].map((text) => expect.stringMatching(text)),
    })
  })

  test('hear the abort, and are reported as cancelled', async () => {
    const controller = new AbortController()
    const hooks = createHooks({})
    const heard = Promise.withResolvers<unknown>()
    hooks.on('PreToolUse', (_, { signal }) => {
      signal.addEventListener('abort', () => heard.resolve(signal.reason))
      controller.abort('because')
      return new Promise<undefined>(() => {})
    })
    const result = await hooks.run('PreToolUse', bash('ls'), { signal: controller.signal })
    expect(result).toMatchObject({ outcome: 'none', isCancelled: true, handlers: [{ outcome: 'cancelled' }] })
    expect(await heard.promise).toBe('because')
  })

  test('wrong use is refused at once', () => {
    const hooks = createHooks({})
    expect(() => hooks.on('PreToolUse', { matcher: '(' }, () => undefined)).toThrow(TypeError)
  })
})

test('another configuration counts from the next event on, and callbacks stay', async () => {
  const hooks = createHooks({ Stop: [{ type: 'command', command: 'true' }] })
  hooks.on('Stop', () => ({ additionalContext: 'callback' }))
  hooks.configure({})
  expect(hooks.handlers).toEqual([])
  const result = await hooks.run('Stop', { stop_hook_active: false })
  expect(result).toMatchObject({ context: ['callback'], handlers: [{ type: 'callback' }] })
  expect([hooks.has('Stop'), hooks.has('PreToolUse')]).toEqual([true, false])
})

test('an input that is no JSON blocks a call and is told elsewhere', async () => {
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  const hooks = createHooks({
    PreToolUse: [{ type: 'command', command: 'true' }],
    PostToolUse: [{ type: 'command', command: 'true' }],
  })
  const input = { tool_name: 'Bash', tool_input: circular, tool_use_id: '1' }
  expect((await hooks.run('PreToolUse', input)).outcome).toBe('deny')
  const after = await hooks.run('PostToolUse', { ...input, tool_response: {} })
  expect(after).toMatchObject({ outcome: 'none', errors: [expect.stringMatching(/could not be run/)] })
})

test('a rule function that throws blocks a call', async () => {
  const hooks = createHooks(
    { PreToolUse: [{ type: 'command', command: 'true', if: 'Bash' }] },
    {
      matchRule: () => {
        throw new Error('rules')
      },
    },
  )
  expect((await hooks.run('PreToolUse', bash('ls'))).outcome).toBe('deny')
})

test('a host whose functions throw gets its result all the same', async () => {
  const fail = (): never => {
    throw new Error('host')
  }
  const warnings: string[] = []
  const hear = ({ message }: Error): void => void warnings.push(message)
  process.on('warning', hear)
  const config = { Stop: [{ type: 'command' as const, command: 'true' }] }
  const told = await createHooks(config, { onProgress: fail }).run('Stop', { stop_hook_active: false })
  expect(told).toMatchObject({ outcome: 'none', errors: [], handlers: [{ outcome: 'success' }] })
  const asked = await createHooks(config, { common: fail }).run('Stop', { stop_hook_active: false })
  expect(asked.errors).toEqual([expect.stringMatching(/host/)])
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', hear)
  expect(warnings.length).toBeGreaterThan(0)
})

test('start and end are told of what goes on in the background too', async () => {
  const told: string[] = []
  const config = { Stop: [{ type: 'command' as const, command: 'true', async: true }] }
  const hooks = createHooks(config, { onProgress: ({ type }) => told.push(type) })
  await hooks.run('Stop', { stop_hook_active: false })
  await hooks[Symbol.asyncDispose]()
  expect(told).toEqual(['hook-start', 'hook-end'])
})
