import { createAnthropicModel } from '@x/model-anthropic'
import { startScriptedServer, text, thinking, toolUse } from '@x/model-anthropic/testing'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ask, collect, type Outcome, pair } from './support.ts'

const answer = [
  thinking('Denk 你'),
  text('你😀é\r\n"x"\u2028 end'),
  toolUse('Write', { content: 'zwölf 😀 Boxkämpfer' }),
]
const bytes = await record()

// The bytes of one whole answer as the scripted server writes them.
async function record(): Promise<Uint8Array> {
  await using server = await startScriptedServer({ script: [answer] })
  const response = await fetch(`${server.url}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({
      model: 'claude-sonnet-5-5',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'hi' }],
    }),
  })
  return new Uint8Array(await response.arrayBuffer())
}

function readChunks(chunks: readonly Uint8Array[]): Promise<Outcome> {
  const model = createAnthropicModel({
    fetch: async () => {
      const body = ReadableStream.from(chunks)
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  return collect(model.stream(ask()))
}

function cutAt(whole: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [0, ...places.toSorted((one, other) => one - other), whole.length]
  return sorted.slice(1).map((end, index) => whole.subarray(sorted[index], end))
}

test('the same bytes give the same events, wherever they are cut', async () => {
  const whole = await readChunks([bytes])
  expect(whole.failure).toBeUndefined()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 40 }), async (places) => {
      expect(await readChunks(cutAt(bytes, places))).toEqual(whole)
    }),
    { numRuns: 200 },
  )
})

test.each(['\n', '\r\n', '\r'])(
  'every line ending of the format is understood, byte by byte: %j',
  async (ending) => {
    const whole = await readChunks([bytes])
    const other = new TextEncoder().encode(new TextDecoder().decode(bytes).replaceAll('\n', ending))
    expect(await readChunks(cutAt(other, Array.from(other.keys())))).toEqual(whole)
  },
)

test('a byte order mark, comments, ids and fields without a space change nothing', async () => {
  const whole = await readChunks([bytes])
  const lines = new TextDecoder()
    .decode(bytes)
    .replaceAll('data: ', 'data:')
    .replaceAll('event:', ': hello\nid: 7\nretry: 1\nevent:')
  expect(await readChunks([new TextEncoder().encode(`\uFEFF${lines}`)])).toEqual(whole)
})

test('an answer cut at any byte gives no event that the whole one does not give, and no half block', async () => {
  const whole = await readChunks([bytes])
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), async (length) => {
      const part = await readChunks([bytes.subarray(0, length)])
      expect(part.events).toEqual(whole.events.slice(0, part.events.length))
      const isComplete = part.events.some((event) => event.type === 'message-end')
      expect(part.failure).toEqual(
        isComplete ? undefined : expect.objectContaining({ code: 'connection_lost' }),
      )
    }),
    { numRuns: 150 },
  )
})

test('an answer over HTTP arrives unchanged, byte by byte and in one write', async () => {
  const long = Array.from({ length: 1000 }, (_, index) => `Zeile ${index} 你😀é`).join('\n')
  for (const [chunkBytes, content] of [
    [1, '你😀é'],
    [7, '你😀é'.repeat(50)],
    [0, long],
  ] as const) {
    await using both = await pair([[text(content), toolUse('Write', { content })]], {
      serverOptions: { chunkBytes, pieceLength: 100 },
    })
    const { events, failure } = await collect(both.model.stream(ask()))
    expect(failure).toBeUndefined()
    expect(events.flatMap((event) => (event.type === 'block-end' ? [event.block] : []))).toEqual([
      { type: 'text', text: content },
      { type: 'tool_use', id: 'toolu_0001', name: 'Write', input: { content } },
    ])
  }
})

test('a request body with characters of several bytes arrives unchanged', async () => {
  await using both = await pair([[text('ok')]])
  const content = 'you 你😀é \u2028 "quoted" \\ \u0000 end'
  await collect(both.model.stream(ask({ messages: [{ role: 'user', content }] })))
  expect(both.server.requests[0]?.body.messages).toMatchObject([
    { content: [{ type: 'text', text: content }] },
  ])
})

test('an event without an end is an error before it eats the memory', async () => {
  const piece = new TextEncoder().encode('x'.repeat(8 * 1024 * 1024))
  const { failure } = await readChunks([
    new TextEncoder().encode('data: '),
    ...Array.from({ length: 9 }, () => piece),
  ])
  expect(failure).toMatchObject({ code: 'connection_lost', message: expect.stringContaining('longer') })
})
