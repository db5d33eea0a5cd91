// What a turn's request costs when the history has grown: ours (each message becomes bytes once) beside writing out the whole
// body every turn, as `messages.create` does. Turns of 5 calls with results of 1 KB; median of the turns around 10 and 200.
import type { Message } from '@x/contract'
import { createAnthropicModel } from '@x/model-anthropic'

const CALLS = 5
const ROUNDS = 9
const result = 'result line with some words in it and a number 12345 é\n'.repeat(18)

const tools = Array.from({ length: 12 }, (_, index) => ({
  name: `Tool${index}`,
  description: 'What it is for, when to use it and when not. '.repeat(20),
  input_schema: {
    type: 'object' as const,
    properties: { file_path: { type: 'string', description: 'Where' } },
  },
}))
const system = [{ type: 'text' as const, text: 'You are careful and brief. '.repeat(200) }]

function turn(index: number): Message[] {
  const ids = Array.from({ length: CALLS }, (_, place) => `toolu_${index}_${place}`)
  return [
    {
      role: 'assistant',
      content: ids.map((id) => ({
        type: 'tool_use' as const,
        id,
        name: 'Tool1',
        input: { file_path: `/src/${id}.ts` },
      })),
    },
    {
      role: 'user',
      content: ids.map((id) => ({ type: 'tool_result' as const, tool_use_id: id, content: result })),
    },
  ]
}

let sent: unknown
const model = createAnthropicModel({
  fetch: async (_, init) => {
    sent = init?.body
    return new Response(
      'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\n',
    )
  },
})

async function ours(messages: readonly Message[]): Promise<number> {
  const before = performance.now()
  for await (const _ of model.stream({ model: 'claude-sonnet-5-5', system, tools, messages, signal }))
    continue
  return performance.now() - before
}

function bare(messages: readonly Message[]): number {
  const before = performance.now()
  sent = Buffer.from(
    JSON.stringify({ model: 'claude-sonnet-5-5', max_tokens: 1, stream: true, tools, system, messages }),
  )
  return performance.now() - before
}

const { signal } = new AbortController()
const figures = new Map<string, number[]>()
const note = (name: string, ms: number): void => void figures.set(name, [...(figures.get(name) ?? []), ms])

for (let round = 0; round < ROUNDS; round += 1) {
  const messages: Message[] = [{ role: 'user', content: 'go' }]
  for (let index = 1; index <= 200; index += 1) {
    const own = await ours(messages)
    const plain = bare(messages)
    const mark = index >= 8 && index <= 12 ? 10 : index >= 196 ? 200 : 0
    if (mark > 0 && round > 1) {
      note(`ours ${mark}`, own)
      note(`bare ${mark}`, plain)
    }
    messages.push(...turn(index))
  }
}
if (sent === undefined) throw new Error('nothing was sent')

const median = (name: string): number => {
  const sorted = (figures.get(name) ?? []).toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
const round = (value: number): number => Math.round(value * 1000) / 1000

for (const [mark, targetMs] of [
  [10, 2.5],
  [200, 5],
] as const) {
  const own = median(`ours ${mark}`)
  const plain = median(`bare ${mark}`)
  print({
    figure: `whole request of turn ${mark}, without network, beside writing the body out (ms)`,
    ours: round(own),
    bare: round(plain),
    ratio: round(own / plain),
    target: `<= ${targetMs} ms`,
    ok: own <= targetMs,
  })
}

function print(figure: object): void {
  console.log(JSON.stringify({ bench: 'request-bytes', ...figure }))
}
