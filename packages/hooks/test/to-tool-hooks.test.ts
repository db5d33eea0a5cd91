import { type CallView, createToolUseContext, defineTool } from '@x/contract'
import { createHooks, type HookResult, type Hooks, type HooksOptions, toToolHooks } from '@x/hooks'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { command, decide } from './helpers.ts'

function callOf(name: string, more: Partial<CallView> = {}): CallView {
  const tool = defineTool({
    name,
    description: name,
    inputSchema: z.looseObject({}),
    call: async () => ({ data: '' }),
    mapResult: (output, id) => ({ type: 'tool_result', tool_use_id: id, content: output }),
  })
  const context = createToolUseContext({ cwd: '/', agent: { id: 'a1', type: 'Explore' } })
  return {
    tool,
    toolUseId: 'toolu_1',
    input: { command: 'ls' },
    context,
    signal: new AbortController().signal,
    ...more,
  }
}

function hooksOf(event: string, handlers: readonly object[], options: HooksOptions = {}): Hooks {
  return createHooks([{ hooks: { [event]: [{ hooks: handlers }] } }], options)
}

test('nothing configured: nothing said', async () => {
  const hooks = toToolHooks(createHooks({}))
  expect(await hooks.preToolUse(callOf('Bash'))).toEqual({ context: [], notices: [] })
})

test('101. hooks learn the call, its folder, its agent and that one’s mode', async () => {
  const hooks = createHooks({})
  const inputs: object[] = []
  for (const event of ['PreToolUse', 'PostToolUse', 'PostToolUseFailure'] as const) {
    hooks.on(event, (input) => {
      inputs.push(input)
    })
  }
  const port = toToolHooks(hooks, { permissionMode: 'plan' })
  await port.preToolUse(callOf('Bash'))
  await port.postToolUse({ ...callOf('Bash'), output: { stdout: 'a' }, durationMs: 5 })
  await port.postToolUseFailure({ ...callOf('Bash'), error: 'e', isInterrupt: false, durationMs: 6 })
  const shared = {
    cwd: '/',
    permission_mode: 'plan',
    agent_id: 'a1',
    agent_type: 'Explore',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: 'toolu_1',
  }
  expect(inputs).toMatchObject([
    shared,
    { ...shared, tool_response: { stdout: 'a' }, duration_ms: 5 },
    { ...shared, error: 'e', is_interrupt: false, duration_ms: 6 },
  ])
})

test('E1. of a tool of an MCP server they learn the server', async () => {
  const hooks = createHooks({})
  const servers: unknown[] = []
  hooks.on('PreToolUse', (input) => {
    servers.push(input.mcp_server)
  })
  const { tool } = callOf('mcp__db__get')
  const mcpServer = { name: 'db', source: 'project' }
  await toToolHooks(hooks).preToolUse(callOf('mcp__db__get', { tool: { ...tool, mcpServer } }))
  await toToolHooks(hooks).preToolUse(callOf('Bash'))
  expect(servers).toEqual([mcpServer, undefined])
})

test('a deny is a verdict with its reason, also beside continue: false', async () => {
  const hooks = hooksOf('PreToolUse', [
    command({
      out: { continue: false, stopReason: 's', ...decide('deny', { permissionDecisionReason: 'r' }) },
    }),
  ])
  expect(await toToolHooks(hooks).preToolUse(callOf('Bash'))).toEqual({
    context: [],
    notices: [],
    verdict: { behavior: 'deny', reason: 'r' },
    stop: { reason: 's' },
  })
})

test('an allow with another input says that it changed it; the trail tells who', async () => {
  const results: HookResult[] = []
  const hooks = hooksOf('PreToolUse', [
    command({ out: decide('allow', { updatedInput: { command: 'pwd' } }) }),
  ])
  const port = toToolHooks(hooks, { onResult: (_, result) => results.push(result) })
  expect(await port.preToolUse(callOf('Bash'))).toMatchObject({
    verdict: { behavior: 'allow', changedInput: true },
    updatedInput: { command: 'pwd' },
  })
  expect(results[0]?.rewrites).toMatchObject([{ original: { command: 'ls' }, updated: { command: 'pwd' } }])
})

test('31, 32. a defer is told and is no verdict', async () => {
  const outcome = await toToolHooks(hooksOf('PreToolUse', [command({ out: decide('defer') })])).preToolUse(
    callOf('Bash'),
  )
  expect(outcome).toEqual({ context: [], notices: [expect.stringMatching(/defer/)] })
})

test('30. a defer is the verdict of a call that may be put off and is the only one of its message', async () => {
  const deferring = command({ out: decide('defer', { permissionDecisionReason: 'later' }) })
  const asked: string[] = []
  const judge = async (mayDefer: boolean, isOnly: boolean, more: readonly object[] = []) => {
    const hooks = hooksOf('PreToolUse', [deferring, ...more])
    const port = toToolHooks(hooks, { mayDefer: ({ toolUseId }) => (asked.push(toolUseId), mayDefer) })
    const outcome = await port.preToolUse({ ...callOf('Bash'), isOnlyCall: async () => isOnly })
    return [outcome.verdict?.behavior, outcome.notices.length]
  }
  const asking = command({ out: decide('ask') })
  expect(await judge(true, true)).toEqual(['defer', 0])
  expect(await judge(true, true, [asking])).toEqual(['defer', 0])
  expect(await judge(true, false, [asking])).toEqual(['ask', 1])
  expect(await judge(false, true)).toEqual([undefined, 1])
  expect(asked).toHaveLength(4)
  // Where another hook denies, nobody waits for the rest of the message.
  expect(await judge(true, true, [command({ out: decide('deny') })])).toEqual(['deny', 0])
  expect(asked).toHaveLength(4)
})

test('a defer that means nothing outdoes no wish to ask, whichever comes first', async () => {
  const asking = command({ out: decide('ask', { permissionDecisionReason: 'sure?' }) })
  const deferring = command({ out: decide('defer', { updatedInput: { command: 'pwd' } }) })
  for (const handlers of [
    [asking, deferring],
    [deferring, asking],
  ]) {
    const outcome = await toToolHooks(hooksOf('PreToolUse', handlers)).preToolUse(callOf('Bash'))
    expect(outcome).toEqual({
      context: [],
      notices: [expect.stringMatching(/defer/)],
      verdict: { behavior: 'ask', reason: '[settings] sure?' },
    })
  }
})

test('failures and messages are for the user, contexts for the model', async () => {
  const hooks = hooksOf('PreToolUse', [
    command({ exit: 1, err: 'broken' }),
    command({ out: { systemMessage: 's', additionalContext: 'c' } }),
  ])
  const outcome = await toToolHooks(hooks).preToolUse(callOf('Bash'))
  expect(outcome).toEqual({ context: ['c'], notices: ['s', expect.stringMatching(/broken/)] })
})

test('107. what an abort cancelled is told', async () => {
  const controller = new AbortController()
  const hooks = hooksOf('PreToolUse', [command('sleep 600')], {
    onProgress: ({ type }) => type === 'hook-start' && setTimeout(() => controller.abort(), 20),
  })
  const outcome = await toToolHooks(hooks).preToolUse(callOf('Bash', { signal: controller.signal }))
  expect(outcome).toMatchObject({ cancelled: true, notices: ['PreToolUse:Bash hook cancelled: [sleep 600]'] })
})

test.each([
  ['Bash', { stdout: 'x', stderr: '' }, true],
  ['Bash', 'text', false],
  ['Bash', { other: 1 }, false],
  ['Bash', { stdout: 5 }, false],
  ['mcp__a__b', 'text', true],
])('54. an output of %s replaced by %j: %s', async (name, value, fits) => {
  const hooks = hooksOf('PostToolUse', [command({ out: { updatedToolOutput: value } })])
  const outcome = await toToolHooks(hooks).postToolUse({
    ...callOf(name),
    output: { stdout: 'a', stderr: 'b' },
    durationMs: 1,
  })
  expect(outcome.updatedOutput).toEqual(fits ? { value } : undefined)
  expect(outcome.notices.length).toBe(fits ? 0 : 1)
})

test('52, 53. feedback after a call, good or bad', async () => {
  const after = toToolHooks(hooksOf('PostToolUse', [command({ exit: 2, err: 'lint' })]))
  expect(await after.postToolUse({ ...callOf('Write'), output: {}, durationMs: 1 })).toMatchObject({
    blockingError: 'lint',
  })
  const failed = toToolHooks(
    hooksOf('PostToolUseFailure', [
      command({ out: { decision: 'block', reason: 'r', additionalContext: 'c' } }),
    ]),
  )
  const call = { ...callOf('Write'), error: 'e', isInterrupt: false, durationMs: 1 }
  expect(await failed.postToolUseFailure(call)).toMatchObject({ blockingError: 'r', context: ['c'] })
})
