// A small MCP server: its tool asks the user for a name, and says what came back.
import { createInterface } from 'node:readline'

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'asking', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'greet', inputSchema: { type: 'object' } }] }),
}
const question = {
  message: 'Who are you?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
}
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
let call

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line)
  if (method === 'tools/call') {
    call = id
    say({ id: 'question', method: 'elicitation/create', params: question })
  } else if (id === 'question') {
    say({ id: call, result: { content: [{ type: 'text', text: JSON.stringify(result) }] } })
  } else if (id !== undefined) {
    say({ id, result: results[method]?.(params) ?? {} })
  }
})
