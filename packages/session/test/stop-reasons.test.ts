import {
  block,
  cut,
  error,
  event,
  silence,
  status,
  stop,
  text,
  thinking,
  toolUse,
} from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import type { QueryOptions } from '../src/session-options.ts'
import { collect, createTalk, resultsOf, Scripted } from './scripted.ts'
import { createTool, lastBlocks, notesOf, refusals, sentCalls, sentResults } from './wire.ts'

const anything: QueryOptions = { permissionMode: 'bypassPermissions' }
const write = toolUse('Write', { file_path: 'a.txt', content: 'once' })

/** The model that each request asked for. */
function models({ server }: Scripted): readonly string[] {
  return server.requests.map(({ body }) => body.model.replace(/^claude-/, '').split('-')[0] ?? '')
}

describe.concurrent('why a message ends', () => {
  it('tool input in pieces is put together at the end of its block (cli.md 42)', async () => {
    await using scripted = await Scripted.start([[toolUse('Echo', {}, { json: '{"a":1}' })], [text('Done.')]])
    const echo = createTool('Echo', (input) => JSON.stringify(input))
    await collect(scripted.ask('Go', { extraTools: [echo] }))
    expect(sentResults(scripted, 1)).toMatchObject([{ text: '{"a":1}' }])
  })

  it.each([
    ['is broken', '{"a":', /JSON/i],
    ['is no object', '[1]', /object/i],
  ])(
    'a call whose input %s is answered with an input error, and nothing else happens',
    async (_, json, said) => {
      await using scripted = await Scripted.start([[toolUse('Echo', {}, { json })], [text('Done.')]])
      const events = await collect(scripted.ask('Go', { extraTools: [createTool('Echo', () => 'never')] }))
      expect(refusals(scripted)).toEqual([])
      expect(sentResults(scripted, 1)).toMatchObject([{ isError: true, text: expect.stringMatching(said) }])
      expect(resultsOf(events)).toMatchObject([{ is_error: false }])
    },
  )

  it('pause_turn sends the same content back, without a word of the user (cli.md 46)', async () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } }
    await using scripted = await Scripted.start([
      [thinking('Let me search.'), text('Searching.'), block(search), stop('pause_turn')],
      [text('Found.')],
    ])
    const events = await collect(scripted.ask('Go'))
    expect(refusals(scripted)).toEqual([])
    const messages = scripted.server.requests[1]?.body.messages ?? []
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(lastBlocks(scripted, 1, 'assistant').map(({ type }) => type)).toEqual([
      'thinking',
      'text',
      'server_tool_use',
    ])
    expect(resultsOf(events)).toMatchObject([{ result: 'Found.' }])
  })

  it('max_tokens in a text keeps it and ends the turn', async () => {
    await using scripted = await Scripted.start([[text('Half a sen'), stop('max_tokens')]])
    const events = await collect(scripted.ask('Go'))
    expect(scripted.server.requests).toHaveLength(1)
    expect(resultsOf(events)).toMatchObject([{ result: 'Half a sen', stop_reason: 'max_tokens' }])
  })

  it('refusal ends with it and is not tried again on the same model (cli.md 48)', async () => {
    await using scripted = await Scripted.start([
      [text('I will'), stop('refusal', { explanation: 'That is not allowed.' })],
      [text('Never.')],
    ])
    const events = await collect(scripted.ask('Go'))
    expect(scripted.server.requests).toHaveLength(1)
    expect(resultsOf(events)).toMatchObject([{ is_error: true, stop_reason: 'refusal' }])
  })

  it('refusal after a call answers the calls, keeps the session usable, and may use the fallback model', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Glob', { pattern: '*' }), stop('refusal')],
      [text('I can.')],
      [text('Again.')],
    ])
    const talk = createTalk()
    talk.say('Go')
    talk.say('And now')
    talk.end()
    const events = await collect(scripted.ask(talk.prompt, { fallbackModel: 'haiku' }))
    expect(refusals(scripted)).toEqual([])
    expect(models(scripted)).toEqual(['sonnet', 'haiku', 'sonnet'])
    expect(resultsOf(events).map(({ result }) => result)).toEqual(['I can.', 'Again.'])
  })

  it('an empty end_turn is not sent back, and the next message follows the last one of the user', async () => {
    await using scripted = await Scripted.start([[], [text('Now.')]])
    const talk = createTalk()
    talk.say('Go')
    talk.say('Well?')
    talk.end()
    const events = await collect(scripted.ask(talk.prompt))
    expect(refusals(scripted)).toEqual([])
    expect(scripted.server.requests[1]?.body.messages.map(({ role }) => role)).toEqual(['user'])
    expect(resultsOf(events)).toHaveLength(2)
  })

  it('events that nobody knows are ignored (cli.md 45)', async () => {
    await using scripted = await Scripted.start([
      [
        event('foo', { type: 'foo', a: 1 }),
        text('Still '),
        event('content_block_delta', { type: 'content_block_delta', index: 0, delta: { type: 'new_delta' } }),
        event('message_note', ['new']),
        text('here.'),
      ],
    ])
    const events = await collect(scripted.ask('Go'))
    expect(resultsOf(events)).toMatchObject([{ result: 'Still \nhere.', is_error: false }])
  })
})

describe.concurrent('a message that breaks off', () => {
  it('by an error event before anything is complete is asked for again (cli.md 43)', async () => {
    await using scripted = await Scripted.start([
      [text('Hal', { isOpen: true }), error('overloaded_error')],
      [text('Whole.')],
    ])
    const events = await collect(scripted.ask('Go'))
    expect(events.find((one) => one.type === 'system' && one.subtype === 'api_retry')).toMatchObject({
      attempt: 1,
      error: 'overloaded',
    })
    expect(resultsOf(events)).toMatchObject([{ result: 'Whole.' }])
  })

  it('by an error event after a complete text keeps that and says so', async () => {
    await using scripted = await Scripted.start([[text('Whole.'), error('api_error')], [text('Never.')]])
    const events = await collect(scripted.ask('Go'))
    expect(scripted.server.requests).toHaveLength(1)
    const [result] = resultsOf(events)
    expect(result?.is_error).toBe(true)
    expect(result?.result).toMatch(/^Whole\.[^]*Server error mid-response/)
  })

  it('after a complete call with effects runs it once, and goes on from its result with a notice (cli.md 44)', async () => {
    await using scripted = await Scripted.start([
      [write, toolUse('Write', {}, { json: '{"file_path":"b.txt","con', isOpen: true }), cut()],
      [text('Done.')],
    ])
    const events = await collect(scripted.ask('Go', anything))
    expect(refusals(scripted)).toEqual([])
    expect([scripted.read('a.txt'), scripted.read('b.txt')]).toEqual(['once', undefined])
    expect(sentResults(scripted, 1).map(({ id }) => id)).toEqual(sentCalls(scripted, 1))
    expect(sentCalls(scripted, 1)).toHaveLength(1)
    expect(notesOf(events).join()).toContain('Connection lost mid-response')
    expect(resultsOf(events)).toMatchObject([{ result: 'Done.' }])
  })

  it('after a complete call without effects is kept as well', async () => {
    await using scripted = await Scripted.start([[toolUse('Glob', { pattern: '*' }), cut()], [text('Done.')]])
    const events = await collect(scripted.ask('Go'))
    expect(refusals(scripted)).toEqual([])
    expect(sentCalls(scripted, 1)).toHaveLength(1)
    expect(resultsOf(events)).toMatchObject([{ result: 'Done.' }])
  })

  it('by silence after a complete call runs it and goes on', async () => {
    await using scripted = await Scripted.start([[write, silence()], [text('Done.')]])
    const env = { ...scripted.env, CLAUDE_STREAM_IDLE_TIMEOUT_MS: '150' }
    const events = await collect(scripted.ask('Go', { ...anything, env }))
    expect(refusals(scripted)).toEqual([])
    expect(scripted.read('a.txt')).toBe('once')
    expect(notesOf(events).join()).toContain('The response stopped arriving')
    expect(resultsOf(events)).toMatchObject([{ result: 'Done.' }])
  })

  it('after its stop reason is complete', async () => {
    const cutAtTheEnd = { kind: 'message', steps: [write], omitMessageStop: true } as const
    await using scripted = await Scripted.start([cutAtTheEnd, [text('Done.')]])
    const events = await collect(scripted.ask('Go', anything))
    expect(notesOf(events)).toEqual([])
    expect(resultsOf(events)).toMatchObject([{ result: 'Done.' }])
  })
})

describe.concurrent('a status instead of a message', () => {
  it('429 is tried again after what retry-after says (cli.md 49)', async () => {
    await using scripted = await Scripted.start([status(429, { retryAfter: 1 }), [text('Done.')]])
    const events = await collect(scripted.ask('Go'))
    const [first, second] = scripted.server.requests
    expect((second?.arrivedAt ?? 0) - (first?.arrivedAt ?? 0)).toBeGreaterThanOrEqual(1_000)
    expect(events.find((one) => one.type === 'system' && one.subtype === 'api_retry')).toMatchObject({
      error_status: 429,
      error: 'rate_limit',
      retry_delay_ms: 1_000,
    })
  })

  it('an interrupt ends the wait for the next try', async () => {
    await using scripted = await Scripted.start([status(429, { retryAfter: 600 }), [text('Never.')]])
    const running = scripted.ask('Go')
    for await (const one of running) {
      if (one.type === 'system' && one.subtype === 'api_retry') running.interrupt()
      if (one.type === 'result') expect(one.terminal_reason).toBe('aborted_streaming')
    }
    expect(scripted.server.requests).toHaveLength(1)
  })

  it.each([400, 401, 402, 403, 404, 413])('%i is not tried again, and is a result', async (code) => {
    await using scripted = await Scripted.start([status(code), [text('Never.')]])
    const events = await collect(scripted.ask('Go'))
    expect(scripted.server.requests).toHaveLength(1)
    expect(resultsOf(events)).toMatchObject([{ subtype: 'success', is_error: true, api_error_status: code }])
  })

  it('HTML of a proxy with status 502 is tried again', async () => {
    await using scripted = await Scripted.start([
      status(502, { body: '<html>Bad Gateway</html>' }),
      [text('Done.')],
    ])
    expect(resultsOf(await collect(scripted.ask('Go')))).toMatchObject([{ result: 'Done.' }])
  })
})

describe.concurrent('a fallback model', () => {
  it('finishes the turn when the first stays overloaded; the next turn asks the first again (cli.md 50)', async () => {
    await using scripted = await Scripted.start([status(529), status(529), [text('One.')], [text('Two.')]])
    const talk = createTalk()
    talk.say('Go')
    talk.say('Again')
    talk.end()
    const env = { ...scripted.env, CLAUDE_CODE_MAX_RETRIES: '1' }
    const events = await collect(scripted.ask(talk.prompt, { fallbackModel: 'haiku', env }))
    expect(models(scripted)).toEqual(['sonnet', 'sonnet', 'haiku', 'sonnet'])
    expect(resultsOf(events).map(({ result }) => result)).toEqual(['One.', 'Two.'])
  })

  it('is not asked when the account is at fault (cli.md 51)', async () => {
    await using scripted = await Scripted.start([status(401), [text('Never.')]])
    await collect(scripted.ask('Go', { fallbackModel: 'haiku' }))
    expect(models(scripted)).toEqual(['sonnet'])
  })

  it('takes over in mid-stream: what was shown is withdrawn, running calls are discarded', async () => {
    await using scripted = await Scripted.start([
      [text('Looking.'), toolUse('Nap', {}, { id: 'toolu_gone' }), error('overloaded_error')],
      [toolUse('Glob', { pattern: '*' })],
      [text('Done.')],
    ])
    const aborted = Promise.withResolvers<void>()
    const nap = createTool('Nap', (_, signal) => {
      signal.addEventListener('abort', () => aborted.resolve())
      return aborted.promise
    })
    const env = { ...scripted.env, CLAUDE_CODE_MAX_RETRIES: '0' }
    const events = await collect(scripted.ask('Go', { fallbackModel: 'haiku', extraTools: [nap], env }))
    await aborted.promise
    expect(refusals(scripted)).toEqual([])
    expect(models(scripted).slice(0, 2)).toEqual(['sonnet', 'haiku'])
    expect(notesOf(events)).toContain('message_withdrawn')
    expect(scripted.server.requests.at(-1)?.text).not.toContain('toolu_gone')
    expect(resultsOf(events)).toMatchObject([{ result: 'Done.' }])
  })

  it('does not take over once something with effects has begun: that runs once', async () => {
    await using scripted = await Scripted.start([[write, silence()], [text('Done.')]])
    const env = { ...scripted.env, CLAUDE_CODE_MAX_RETRIES: '0', CLAUDE_STREAM_IDLE_TIMEOUT_MS: '300' }
    const events = await collect(scripted.ask('Go', { ...anything, fallbackModel: 'haiku', env }))
    expect(refusals(scripted)).toEqual([])
    expect(sentCalls(scripted, 1)).toHaveLength(1)
    expect(notesOf(events)).not.toContain('message_withdrawn')
    expect(scripted.read('a.txt')).toBe('once')
  })
})
