import type { McpConnections } from '@x/tools-mcp'
import { afterEach, describe, expect, test } from 'vitest'
import { askFixture, callTool, fixture, markedConnections, statusOf, toolOf } from './helpers.ts'

let open: McpConnections[] = []
const start = (...args: Parameters<typeof markedConnections>): ReturnType<typeof markedConnections> => {
  const marked = markedConnections(...args)
  open.push(marked.connections)
  return marked
}
afterEach(async () => {
  await Promise.all(open.map((connections) => connections.close()))
  open = []
})

test('a program of the configuration gives tools that can be called, and is gone after close', async () => {
  const { connections, count } = start([fixture('one', ['--grandchild'])])
  await connections.connect()
  expect(statusOf(connections, 'one')).toMatchObject({
    status: 'connected',
    serverInfo: { name: 'fixture', version: '1.2.3' },
    problems: [],
  })
  expect(connections.instructions()).toEqual([{ server: 'one', text: 'Use it well.' }])
  const { data, isError } = await callTool(toolOf(connections, 'mcp__one__echo'), { a: [1], b: { c: null } })
  expect(data).toEqual([{ type: 'text', text: '{"a":[1],"b":{"c":null}}' }])
  expect(isError).toBe(false)
  expect(count()).toBe(2)
  await connections.close()
  await connections.close()
  expect(count()).toBe(0)
  expect(connections.tools()).toEqual([])
})

describe('case MC-01: a server that ends in the middle of a call', () => {
  test.each([
    ['die', 'it ended with exit code 0; its last words:\nout of memory, it seems'],
    ['kill-self', 'it was ended by SIGKILL'],
    ['close-output', 'it closed its output'],
  ])('%s: the call fails at once with what is known, and others go on', async (tool, words) => {
    const { connections, count } = start([fixture('bad'), fixture('good')])
    await connections.connect()
    const other = askFixture(connections, 'good.echo', { still: 'here' })
    await expect(connections.call('bad', tool, { input: {} })).rejects.toMatchObject({
      name: 'McpError',
      code: 'server-ended',
      message: `MCP server bad is gone: ${words}`,
    })
    expect(await other).toEqual({ still: 'here' })
    expect(statusOf(connections, 'bad')).toMatchObject({ status: 'failed', error: words, tools: [] })
    await expect(connections.call('bad', 'ping', { input: {} })).rejects.toMatchObject({
      code: 'not-connected',
    })
    expect(await askFixture(connections, 'good.echo', { and: 'on' })).toEqual({ and: 'on' })
    await expect.poll(count).toBe(1)
    expect((await connections.reconnect('bad')).status).toBe('connected')
    expect(await askFixture(connections, 'bad.echo', { new: 1 })).toEqual({ new: 1 })
  })

  test('one that reads no more fails the next call', async () => {
    const { connections } = start([fixture('deaf')])
    await connections.connect()
    const waiting = connections.call('deaf', 'close-input', { input: {} })
    const next = connections.call('deaf', 'echo', { input: { long: 'x'.repeat(1_000_000) } })
    await expect(next).rejects.toMatchObject({ code: 'server-ended', message: /closed its input/ })
    await expect(waiting).rejects.toMatchObject({ code: 'server-ended' })
  })
})

test('case MC-02: servers that never finish their start cost no more than the limit, and nobody else', async () => {
  const good = ['a', 'b', 'c'].map((name) => fixture(name))
  const bad = [
    fixture('mute', ['--mute']),
    fixture('exits', ['--exit']),
    { name: 'missing', config: { ...fixture('x').config, command: '/does/not/exist' } as never },
  ]
  const { connections, count } = start([...bad, ...good], { limits: { startMs: 5000 } })
  await connections.connect()
  expect(connections.statuses().map(({ name, status, error }) => [name, status, error])).toEqual([
    ['mute', 'failed', 'did not finish its start within 5 s'],
    ['exits', 'failed', 'it ended with exit code 1; its last words:\ncannot find my configuration'],
    ['missing', 'failed', expect.stringContaining('/does/not/exist')],
    ...['a', 'b', 'c'].map((name) => [name, 'connected', undefined]),
  ])
  expect(count()).toBe(3)
})

test('case MC-02: a healthy server is usable while another one still starts', async () => {
  const { connections } = start([fixture('mute', ['--mute']), fixture('good')])
  expect((await connections.waitFor('good')).status).toBe('connected')
  expect(await askFixture(connections, 'good.echo', {})).toEqual({})
  expect((await connections.waitFor('mute', { timeoutMs: 20 })).status).toBe('pending')
  await expect(connections.waitFor('mute', { signal: AbortSignal.abort('enough') })).rejects.toBe('enough')
})

test('case MC-03: an abort tells the server once, ends the call at once and leaves the server as it is', async () => {
  const { connections } = start([fixture('one')])
  await connections.connect()
  const { pid } = await askFixture(connections, 'one.ping')
  const controller = new AbortController()
  const call = callTool(toolOf(connections, 'mcp__one__slow'), {}, { controller })
  await expect.poll(async () => (await askFixture(connections, 'one.log')).cancelled.length).toBe(1)
  controller.abort('the user said stop')
  await expect(call).rejects.toBe('the user said stop')
  const { cancelled } = await askFixture(connections, 'one.log')
  expect(cancelled).toEqual([expect.stringMatching(/^slow is \d+$/), Number(/\d+/.exec(cancelled[0])?.[0])])
  expect(await askFixture(connections, 'one.ping')).toEqual({ pid })
})

test('case MC-04: lines between the messages are no fault, and are logged once', async () => {
  const logged: string[] = []
  const { connections } = start([fixture('noisy', ['--noisy'])], {
    onLog: ({ level, message }) => logged.push(`${level}: ${message}`),
  })
  await connections.connect()
  expect(await askFixture(connections, 'noisy.echo', { a: 1 })).toEqual({ a: 1 })
  expect(await askFixture(connections, 'noisy.echo', { a: 2 })).toEqual({ a: 2 })
  expect(logged).toEqual(['debug: wrote what is no message to its output: Server v1 ready'])
})

test('case MC-09: one refresh for fifty notices; the new tool works and the old one gives a clear error', async () => {
  const changes: number[] = []
  const { connections } = start([fixture('one')], { onChange: ({ tools }) => changes.push(tools.length) })
  await connections.connect()
  const before = toolOf(connections, 'mcp__one__ping')
  const old = toolOf(connections, 'mcp__one__echo')
  const controller = new AbortController()
  const running = callTool(toolOf(connections, 'mcp__one__slow'), {}, { controller })
  await connections.call('one', 'change', { input: {} })
  await expect.poll(() => connections.tools().map(({ name }) => name)).toContain('mcp__one__new')
  expect(toolOf(connections, 'mcp__one__ping')).toBe(before)
  expect(await callTool(toolOf(connections, 'mcp__one__new'), {})).toMatchObject({
    data: [{ type: 'text', text: 'I am new' }],
  })
  await expect(callTool(old, {})).rejects.toMatchObject({
    code: 'unknown-tool',
    message: 'MCP server one offers no tool named echo (any more)',
  })
  expect((await askFixture(connections, 'one.log')).listings).toBe(2)
  expect(changes).toEqual([11, 11])
  controller.abort('enough')
  await expect(running).rejects.toBe('enough')
})

test('case MC-08: a program gets its own variables and arguments, and not the key of the model', async () => {
  const env = { ANTHROPIC_API_KEY: 'sk-secret', CLAUDE_CODE_OAUTH_TOKEN: 'secret', OTHER: 'kept' }
  const args = ['a b', '"quoted"', "it's", '$5', '$$', '']
  const listed = fixture('listed', [], { env: { ANTHROPIC_API_KEY: 'listed' } })
  const { connections } = start([fixture('one', args), listed], { env })
  await connections.connect()
  const seen = await askFixture(connections, 'one.environment')
  expect(seen.args).toEqual(args)
  expect(seen.env).toMatchObject({ OTHER: 'kept' })
  expect(seen.env).not.toHaveProperty('ANTHROPIC_API_KEY')
  expect(seen.env).not.toHaveProperty('CLAUDE_CODE_OAUTH_TOKEN')
  expect((await askFixture(connections, 'listed.environment')).env).toMatchObject({
    ANTHROPIC_API_KEY: 'listed',
  })
})

describe('whatever a server does', () => {
  test('a message longer than the limit ends its connection', async () => {
    const { connections, count } = start([fixture('one')], { limits: { maxMessageChars: 1_000_000 } })
    await connections.connect()
    await expect(
      connections.call('one', 'echo', { input: { text: 'x'.repeat(1_000_001) } }),
    ).rejects.toMatchObject({ code: 'server-ended', message: /longer than 1000000 characters/ })
    await expect.poll(count).toBe(0)
  })

  test('an answer that is nested without end is one that cannot be taken, or fails alone', async () => {
    const { connections } = start([fixture('one')])
    await connections.connect()
    for (const depth of [10_000, 1_000_000]) {
      const nested = '['.repeat(depth) + ']'.repeat(depth)
      const odd = `{"jsonrpc":"2.0","id":99999,"result":{"a":${nested}}}\n{"jsonrpc":"2.0","method":"x","params":{"a":${nested}}}\n`
      await connections.call('one', 'say', { input: { bytes: Buffer.from(odd).toString('base64') } })
    }
    expect(await askFixture(connections, 'one.echo', { a: 1 })).toEqual({ a: 1 })
  })

  test('a flood of notices passes', async () => {
    const { connections } = start([fixture('one', ['--flood'])])
    await connections.connect()
    expect(await askFixture(connections, 'one.echo', { a: 1 })).toEqual({ a: 1 })
  })

  test('one that ignores the end of its input and TERM is forced', async () => {
    const { connections, count } = start([fixture('one', ['--stubborn', '--grandchild'])])
    await connections.connect()
    await connections.close()
    expect(count()).toBe(0)
  })

  test('a call that is never answered ends with its limit, and the next one works', async () => {
    const { connections } = start([fixture('one', [], { timeoutMs: 1500 })])
    await connections.connect()
    await expect(connections.call('one', 'slow', { input: {} })).rejects.toMatchObject({
      code: 'timed-out',
      message: 'MCP server one did not answer in time (1.5 s)',
    })
    expect(await askFixture(connections, 'one.echo', {})).toEqual({})
  })
})

describe('a server', () => {
  test('can be switched off and on', async () => {
    const { connections, count } = start([fixture('one')])
    await connections.connect()
    expect(await connections.setEnabled('one', false)).toMatchObject({ status: 'disabled', tools: [] })
    expect(count()).toBe(0)
    await expect(connections.call('one', 'ping', { input: {} })).rejects.toThrow(
      'MCP server one is switched off',
    )
    expect((await connections.waitFor('one')).status).toBe('disabled')
    expect((await connections.setEnabled('one', true)).status).toBe('connected')
    expect(count()).toBe(1)
  })

  test('that is switched off or closed while it starts leaves nothing', async () => {
    const { connections, count } = start([fixture('off', ['--mute']), fixture('closed', ['--mute'])])
    await expect.poll(count).toBe(2)
    expect((await connections.setEnabled('off', false)).status).toBe('disabled')
    expect(count()).toBe(1)
    await connections.close()
    expect(count()).toBe(0)
    await connections.reconnect('off')
    expect(count()).toBe(0)
  })

  test('is started when somebody waits for it, where nothing starts by itself', async () => {
    const { connections, count } = start([fixture('one')], { autoConnect: false })
    expect(statusOf(connections, 'one').status).toBe('pending')
    expect(count()).toBe(0)
    expect(await askFixture(connections, 'one.echo', { lazy: true })).toEqual({ lazy: true })
  })

  test('of no known name is an error that says so', async () => {
    const { connections } = start([])
    await expect(connections.call('x', 'y', { input: {} })).rejects.toMatchObject({ code: 'unknown-server' })
    await expect(connections.waitFor('x')).rejects.toThrow('No MCP server named x is configured.')
  })
})
