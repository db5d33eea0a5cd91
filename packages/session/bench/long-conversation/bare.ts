// The same conversation with the least code: Node's HTTP client, a history of bytes that are written once, no checks, no hooks, no log.
import { Agent, type IncomingMessage, request } from 'node:http'

interface Block {
  readonly type: string
  readonly id: string
  input: unknown
}

const [url = ''] = process.argv.slice(1)
const agent = new Agent({ keepAlive: true })
const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
const head = {
  model: 'claude-sonnet-5-5',
  max_tokens: 8_000,
  stream: true,
  tools: [{ name: 'Note', description: 'Takes a note.', input_schema: { type: 'object' } }],
}
const history = [
  Buffer.from(`${JSON.stringify(head).slice(0, -1)},"messages":[{"role":"user","content":"Go."}`),
]
const end = Buffer.from(']}')
const costs: number[] = []
let before = process.cpuUsage()
let calls = await ask()
while (calls.length > 0) {
  add({ role: 'assistant', content: calls })
  const content = 'x'.repeat(1_000)
  add({ role: 'user', content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content })) })
  const { user, system } = process.cpuUsage(before)
  costs.push((user + system) / 1_000)
  before = process.cpuUsage()
  calls = await ask()
}
agent.destroy()
console.log(JSON.stringify({ costs, peakMiB: process.resourceUsage().maxRSS / 1024 }))

function add(message: object): void {
  history.push(Buffer.from(`,${JSON.stringify(message)}`))
}

/** Sends the history and gives the calls of the answer. */
async function ask(): Promise<readonly Block[]> {
  const blocks: Block[] = []
  let json = ''
  let text = ''
  const incoming = await post()
  incoming.setEncoding('utf8')
  for await (const piece of incoming) {
    const events = (text + piece).split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = JSON.parse(event.slice(event.indexOf('data: ') + 6))
      if (data.type === 'content_block_start' && data.content_block.type === 'tool_use') {
        blocks.push(data.content_block)
        json = ''
      }
      if (data.type === 'content_block_delta') json += data.delta.partial_json ?? ''
      const last = blocks.at(-1)
      if (data.type === 'content_block_stop' && last !== undefined) last.input = JSON.parse(json)
    }
  }
  return blocks
}

function post(): Promise<IncomingMessage> {
  const length = history.reduce((sum, piece) => sum + piece.length, end.length)
  return new Promise((resolve, reject) => {
    const fields = { ...headers, 'content-length': length }
    const outgoing = request(`${url}/v1/messages`, { method: 'POST', agent, headers: fields }, resolve)
    outgoing.on('error', reject)
    outgoing.cork()
    for (const piece of history) outgoing.write(piece)
    outgoing.end(end)
    outgoing.uncork()
  })
}
