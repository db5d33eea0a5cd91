import { defineTool } from '@x/contract'
import { message, text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { query } from '../src/index.ts'
import { collect, createTalk, resultsOf, Scripted, textOf, toolResultsOf } from './scripted.ts'

describe('query', () => {
  it('begins with init, ends with a result, and numbers every event without gaps', async () => {
    await using scripted = await Scripted.start(
      [[toolUse('Read', { file_path: 'a.txt' })], [text('It says hello.')]],
      {
        'a.txt': 'hello\n',
      },
    )
    const events = await collect(scripted.ask('What does a.txt say?'))
    expect(events[0]).toMatchObject({
      type: 'system',
      subtype: 'init',
      cwd: scripted.cwd,
      permissionMode: 'default',
    })
    expect(events.at(-1)).toMatchObject({
      type: 'result',
      subtype: 'success',
      result: 'It says hello.',
      is_error: false,
    })
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index))
    expect(new Set(events.map(({ uuid }) => uuid)).size).toBe(events.length)
    expect(new Set(events.map(({ session_id: id }) => id)).size).toBe(1)
    expect(textOf(toolResultsOf(events)[0])).toBe('1\thello')
  })

  it('sends a prefix that stays byte-equal from turn to turn', async () => {
    await using scripted = await Scripted.start(
      [[toolUse('Read', { file_path: 'a.txt' })], [toolUse('Glob', { pattern: '*' })], [text('Done.')]],
      { 'a.txt': 'hello\n' },
    )
    await collect(scripted.ask('Look around.'))
    const prefixes = scripted.server.requests.map(({ body }) => JSON.stringify([body.tools, body.system]))
    expect(prefixes).toHaveLength(3)
    expect(new Set(prefixes).size).toBe(1)
    expect(Buffer.byteLength(prefixes[0] ?? '')).toBeLessThan(20_000)
  })

  it('answers a failure of the service with a result, not with a rejection (cli.md 15)', async () => {
    await using scripted = await Scripted.start([])
    await using unauthorized = await Scripted.start([
      {
        kind: 'status',
        status: 401,
        headers: {},
        body: '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
      },
    ])
    const [result] = resultsOf(await collect(unauthorized.ask('Hello')))
    expect(result).toMatchObject({ subtype: 'success', is_error: true, api_error_status: 401 })
    expect(JSON.stringify(result)).not.toContain('sk-test-123')
    expect(scripted.server.requests).toEqual([])
  })

  it('says what to set when there is no endpoint', () => {
    expect(() => query({ prompt: 'Hello', options: { env: {} } })).toThrow(
      /Set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL/,
    )
  })

  it.each([
    [{ cwd: 'relative' }, /cwd must be the absolute path of a folder/],
    [{ cwd: '/no/such/folder' }, /cwd must be the absolute path of a folder/],
    [{ sessionId: 'not-a-uuid' }, /sessionId must be a UUID/],
    [{ tools: ['Reed'] }, /tools names Reed, which does not exist/],
    [{ allowedTools: ['Bash(npm test'] }, /^allowedTools: "Bash\(npm test" is not a permission rule: /],
  ])('refuses %j at once', (options, message) => {
    expect(() =>
      query({ prompt: 'x', options: { env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }, ...options } }),
    ).toThrow(message)
  })

  it('answers messages one after the other, in one conversation', async () => {
    await using scripted = await Scripted.start([[text('One.')], [text('Two.')]])
    const talk = createTalk()
    talk.say('First')
    talk.say('Second')
    talk.end()
    const events = await collect(scripted.ask(talk.prompt))
    expect(resultsOf(events).map(({ result }) => result)).toEqual(['One.', 'Two.'])
    const last = scripted.server.requests.at(-1)?.body.messages ?? []
    expect(last.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('lets a message with shouldQuery false wait for the next, and answers a blank one without the model', async () => {
    await using scripted = await Scripted.start([[text('Both.')]])
    const talk = createTalk()
    talk.say({ type: 'user', message: { role: 'user', content: 'For later' }, shouldQuery: false })
    talk.say('Now')
    talk.say('  \n')
    talk.end()
    const events = await collect(scripted.ask(talk.prompt))
    expect(resultsOf(events).map(({ result }) => result?.split(':')[0])).toEqual(['Both.', 'Blank prompt'])
    expect(JSON.stringify(scripted.server.requests[0]?.body.messages)).toMatch(/For later.*Now/)
  })

  it('passes on what the prompt iterable throws', async () => {
    await using scripted = await Scripted.start([])
    const broken = (async function* () {
      await Promise.resolve()
      throw new Error('no more words')
      // oxlint-disable-next-line no-unreachable -- makes it a generator of messages
      yield { type: 'user', message: { role: 'user', content: '' } } as const
    })()
    await expect(collect(scripted.ask(broken))).rejects.toThrow('no more words')
  })

  it('offers extra tools beside the built-in ones, and takes tools away', async () => {
    await using scripted = await Scripted.start([[toolUse('Roll', {})], [text('Six.')]])
    const roll = defineTool({
      name: 'Roll',
      description: 'Rolls a die.',
      inputSchema: z.strictObject({}),
      isReadOnly: () => true,
      call: async () => ({ data: 6 }),
      mapResult: (output, toolUseId) => ({
        type: 'tool_result',
        tool_use_id: toolUseId,
        content: String(output),
      }),
    })
    const events = await collect(
      scripted.ask('Roll', { extraTools: [roll], tools: ['Read', 'Bash'], disallowedTools: ['Bash'] }),
    )
    expect(scripted.server.requests[0]?.body.tools?.map(({ name }) => name)).toEqual(['Read', 'Roll'])
    expect(textOf(toolResultsOf(events)[0])).toBe('6')
  })

  it('answers a call of a tool that a rule took away as unknown, under its old name too', async () => {
    await using scripted = await Scripted.start([
      [toolUse('KillShell', { shell_id: 'x' })],
      [text('So be it.')],
    ])
    const events = await collect(scripted.ask('Stop it', { disallowedTools: ['TaskStop'] }))
    expect(textOf(toolResultsOf(events)[0])).toContain('No such tool available: KillShell')
  })

  it('yields raw events when partial messages are asked for, and the user back when asked to', async () => {
    await using scripted = await Scripted.start([message([text('Hello there.')])])
    const events = await collect(
      scripted.ask('Hi', { includePartialMessages: true, replayUserMessages: true }),
    )
    expect(events[1]).toMatchObject({ type: 'user', isReplay: true, message: { content: 'Hi' } })
    const stopAt = events.findIndex(
      (event) => event.type === 'stream_event' && JSON.stringify(event.event).includes('message_stop'),
    )
    expect(stopAt).toBeGreaterThan(0)
    expect(events.findIndex(({ type }) => type === 'assistant')).toBeGreaterThan(stopAt)
  })

  it('stores a result over its limit and shows the model a preview and the path', async () => {
    await using scripted = await Scripted.start([[toolUse('Big', {})], [text('Much.')]])
    const big = defineTool({
      name: 'Big',
      description: 'Says much.',
      inputSchema: z.strictObject({}),
      isReadOnly: () => true,
      maxResultSizeChars: 1_000,
      call: async () => ({ data: 'x'.repeat(5_000) }),
      mapResult: (output, toolUseId) => ({ type: 'tool_result', tool_use_id: toolUseId, content: output }),
    })
    const events = await collect(scripted.ask('Say much', { extraTools: [big] }))
    const shown = textOf(toolResultsOf(events)[0])
    expect(shown).toContain('<persisted-output>')
    const [path = ''] = /\/\S+\.txt/.exec(shown) ?? []
    expect(path.startsWith(scripted.path('.x'))).toBe(true)
    expect(scripted.read(path.slice(scripted.cwd.length + 1))).toBe('x'.repeat(5_000))
  })
})
