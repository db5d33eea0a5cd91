import {
  block,
  cut,
  error,
  event,
  message,
  ping,
  redacted,
  stop,
  text,
  thinking,
  toolUse,
} from '@x/model-anthropic/testing'
import { expect, test } from 'vitest'
import { ask, blocks, collect, once, pair } from './support.ts'

test('a tool input that comes in pieces is parsed once, at the end of its block', async () => {
  const outcome = await once([toolUse('Read', {}, { json: '{"a":1}', id: 'toolu_a' })], {
    serverOptions: { pieceLength: 5 },
  })
  expect(blocks(outcome)).toEqual([{ type: 'tool_use', id: 'toolu_a', name: 'Read', input: { a: 1 } }])
})

test('an input without any text is an empty object', async () => {
  const outcome = await once([toolUse('Now', {}, { json: '' })])
  expect(blocks(outcome)).toMatchObject([{ name: 'Now', input: {} }])
  expect(outcome.events.find((event) => event.type === 'block-end')).not.toHaveProperty('inputError')
})

test.each([
  ['cut JSON', '{"file_path":"a.txt","cont'],
  ['a list', '[1]'],
  ['a string', '"rm -rf"'],
  ['null', 'null'],
  ['two objects', '{}{}'],
  ['a word', 'undefined'],
])('an input that is %s is never repaired: the block says why and has none', async (_, json) => {
  const outcome = await once([toolUse('Write', {}, { json })])
  const end = outcome.events.find((event) => event.type === 'block-end')
  expect(end).toMatchObject({
    block: { name: 'Write', input: {} },
    inputError: expect.stringContaining('not'),
  })
})

test('text, thoughts and calls come whole and in order, with their deltas before them', async () => {
  const outcome = await once([
    thinking('Hm, notes.'),
    redacted('ZGF0YQ=='),
    text('Let me see 你😀é.'),
    toolUse('Read', { file_path: 'é' }),
  ])
  expect(blocks(outcome)).toEqual([
    { type: 'thinking', thinking: 'Hm, notes.', signature: expect.stringMatching(/^sig_/) },
    { type: 'redacted_thinking', data: 'ZGF0YQ==' },
    { type: 'text', text: 'Let me see 你😀é.' },
    { type: 'tool_use', id: 'toolu_0001', name: 'Read', input: { file_path: 'é' } },
  ])
  const shown = outcome.events.flatMap((event) =>
    event.type === 'block-delta' && event.index === 2 ? [event.text] : [],
  )
  expect(shown.join('')).toBe('Let me see 你😀é.')
  expect(outcome.events.at(0)).toMatchObject({
    type: 'message-start',
    id: 'msg_0001',
    model: 'claude-sonnet-5-5',
    requestId: 'req_0001',
  })
  expect(outcome.events.find((event) => event.type === 'message-end')).toMatchObject({
    stopReason: 'tool_use',
  })
  expect(outcome.failure).toBeUndefined()
})

test('the text of an input is not offered for showing', async () => {
  const { events } = await once([toolUse('Read', { file_path: 'a' })])
  const deltas = events.filter((event) => event.type === 'block-delta')
  expect(deltas.length).toBeGreaterThan(1)
  expect(deltas.every((event) => event.text === undefined)).toBe(true)
})

test('blocks of the service’s own tools are handed through as they came', async () => {
  const foreign = {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [{ url: 'https://example.com' }],
  }
  const outcome = await once([
    block({ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } }),
    block(foreign),
  ])
  expect(blocks(outcome)).toEqual([
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
    foreign,
  ])
})

test('citations stay with their text', async () => {
  const outcome = await once([
    event('content_block_start', {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'text', text: '', citations: [] },
    }),
    event('content_block_delta', {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'so' },
    }),
    event('content_block_delta', {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'citations_delta', citation: { cited_text: 'it is' } },
    }),
    event('content_block_stop', { type: 'content_block_stop', index: 0 }),
  ])
  expect(blocks(outcome)).toEqual([{ type: 'text', text: 'so', citations: [{ cited_text: 'it is' }] }])
})

test('pings are silent; unknown events, deltas and indexes disturb nothing', async () => {
  const outcome = await once([
    ping(),
    event('foo', { type: 'foo', value: 1 }),
    event('content_block_delta', {
      type: 'content_block_delta',
      index: 99,
      delta: { type: 'text_delta', text: 'lost' },
    }),
    event('content_block_stop', { type: 'content_block_stop', index: 99 }),
    event('content_block_start', { type: 'content_block_start' }),
    text('fine'),
  ])
  expect(blocks(outcome)).toEqual([{ type: 'text', text: 'fine' }])
  expect(outcome.events.filter((event) => event.type === 'other').map((event) => event.raw)).toEqual([
    { type: 'foo', value: 1 },
    expect.objectContaining({ index: 99 }),
    expect.objectContaining({ index: 99 }),
    { type: 'content_block_start' },
    { type: 'message_stop' },
  ])
  expect(outcome.failure).toBeUndefined()
})

test('blocks that overlap are kept apart by index', async () => {
  const piece = (index: number, text: string) =>
    event('content_block_delta', { type: 'content_block_delta', index, delta: { type: 'text_delta', text } })
  const start = (index: number) =>
    event('content_block_start', {
      type: 'content_block_start',
      index,
      content_block: { type: 'text', text: '' },
    })
  const end = (index: number) => event('content_block_stop', { type: 'content_block_stop', index })
  const outcome = await once([
    start(0),
    start(1),
    piece(0, 'a'),
    piece(1, 'b'),
    piece(0, 'c'),
    end(1),
    end(0),
  ])
  expect(blocks(outcome)).toEqual([
    { type: 'text', text: 'b' },
    { type: 'text', text: 'ac' },
  ])
})

test('an error in the stream before any block is complete is an overload that may be retried', async () => {
  const outcome = await once([error('overloaded_error', 'Overloaded')])
  expect(outcome.events.map((event) => event.type)).toEqual(['message-start'])
  expect(outcome.failure).toMatchObject({
    code: 'overloaded',
    status: null,
    isRetryable: true,
    message: 'Overloaded',
  })
})

test('a connection lost after one complete call has given that call, and no other', async () => {
  const outcome = await once([
    toolUse('Read', { file_path: 'a' }),
    toolUse('Write', {}, { json: '{"file_path":"a.txt","cont', isOpen: true }),
    cut(),
  ])
  expect(blocks(outcome)).toMatchObject([{ name: 'Read', input: { file_path: 'a' } }])
  expect(outcome.failure).toMatchObject({ code: 'connection_lost', isRetryable: true })
})

test.each([
  ['inside the arguments', '{"file_path":"a.txt","cont'],
  ['right after the name', ''],
])('a stream that dies %s gives no call, and says the connection was lost', async (_, json) => {
  const outcome = await once([toolUse('Write', {}, { json, isOpen: true }), cut()])
  expect(blocks(outcome)).toEqual([])
  expect(outcome.failure).toMatchObject({ code: 'connection_lost', status: null, isRetryable: true })
})

test.each([
  ['an input that does not parse', '{"file_path":"a.t'],
  ['an input that parses by luck', '{"file_path":"a.txt"}'],
])('at the output limit a call without its end is not given: %s', async (_, json) => {
  const outcome = await once([
    toolUse('Read', { file_path: 'b' }),
    toolUse('Write', {}, { json, isOpen: true }),
    stop('max_tokens'),
  ])
  expect(blocks(outcome)).toMatchObject([{ name: 'Read' }])
  expect(outcome.events.find((event) => event.type === 'message-end')).toMatchObject({
    stopReason: 'max_tokens',
  })
  expect(outcome.failure).toBeUndefined()
})

test('text that came before a reset was given once, and the attempt is not repeated', async () => {
  await using both = await pair([
    [text('abcdefghijklmnopqrstuvwx', { isOpen: true }), cut()],
    [text('again')],
  ])
  const outcome = await collect(both.model.stream(ask()))
  const shown = outcome.events.flatMap((event) => (event.type === 'block-delta' ? [event.text] : []))
  expect(shown.join('')).toBe('abcdefghijklmnopqrstuvwx')
  expect(outcome.failure).toMatchObject({ code: 'connection_lost' })
  expect(both.server.requests).toHaveLength(1)
})

test('a response with its stop reason is complete, even if the last event never comes', async () => {
  const outcome = await once(message([text('done')], { omitMessageStop: true }))
  expect(outcome.events.at(-1)).toMatchObject({ type: 'message-end', stopReason: 'end_turn' })
  expect(outcome.failure).toBeUndefined()
})

test.each([
  ['a cut', cut()],
  ['an error', error('api_error')],
  ['nonsense', event('message_stop', '<html>')],
])('after the stop reason %s can not take the response back', async (_, last) => {
  const end = event('message_delta', {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn' },
    usage: { output_tokens: 3 },
  })
  const outcome = await once([text('done'), end, last])
  expect(blocks(outcome)).toEqual([{ type: 'text', text: 'done' }])
  expect(outcome.failure).toBeUndefined()
})

test('a pause names itself, and the same content goes back without a user text', async () => {
  await using both = await pair([
    [block({ type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} }), stop('pause_turn')],
    [text('found')],
  ])
  const first = await collect(both.model.stream(ask()))
  expect(first.events.find((event) => event.type === 'message-end')).toMatchObject({
    stopReason: 'pause_turn',
  })
  const content = first.events.flatMap((event) => (event.type === 'block-end' ? [event.block] : []))
  await collect(
    both.model.stream(
      ask({
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content },
        ],
      }),
    ),
  )
  expect(both.server.requests[1]?.body.messages.at(-1)).toEqual({ role: 'assistant', content })
})

test('a refusal ends the message and says why', async () => {
  const outcome = await once([
    text('I'),
    stop('refusal', { type: 'refusal', category: 'cyber', explanation: 'Not that.' }),
  ])
  expect(outcome.events.find((event) => event.type === 'message-end')).toMatchObject({
    stopReason: 'refusal',
    refusal: 'Not that.',
  })
})

test('counts are cumulative, and an absent one stays what it was', async () => {
  const outcome = await once(
    message([text('x')], { usage: { input_tokens: 7, cache_read_input_tokens: 5, output_tokens: 2 } }),
  )
  expect(outcome.events.find((event) => event.type === 'message-end')).toMatchObject({
    usage: { input_tokens: 7, output_tokens: 2, cache_creation_input_tokens: 0, cache_read_input_tokens: 5 },
  })
})

test('signed and redacted thoughts go back byte-equal and in place', async () => {
  await using both = await pair([
    [thinking('Hm 😀 "quoted"'), redacted('c2VjcmV0'), text('so'), toolUse('Read', { b: 1, a: 2 })],
    [text('ok')],
  ])
  const first = await collect(both.model.stream(ask()))
  const content = first.events.flatMap((event) => (event.type === 'block-end' ? [event.block] : []))
  const results = {
    role: 'user' as const,
    content: [{ type: 'tool_result' as const, tool_use_id: 'toolu_0001', content: 'x' }],
  }
  const second = await collect(
    both.model.stream(
      ask({ messages: [{ role: 'user', content: 'hi' }, { role: 'assistant', content }, results] }),
    ),
  )
  expect(second.failure).toBeUndefined()
  expect(both.server.requests[1]?.text).toContain(JSON.stringify(content))
})

test('an empty thought that is signed is kept', async () => {
  const outcome = await once([thinking('', { signature: 'sig_of_nothing' }), text('x')])
  expect(blocks(outcome)[0]).toEqual({ type: 'thinking', thinking: '', signature: 'sig_of_nothing' })
})
