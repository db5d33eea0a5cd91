// A small MCP server: `ask` answers permission questions by what stands in the input, `note` repeats its input.
import { createInterface } from 'node:readline'

const decide = ({ input }) =>
  String(input?.command).includes('one')
    ? { behavior: 'allow' }
    : { behavior: 'deny', message: 'the server says no' }
const call = ({ name, arguments: input }) =>
  JSON.stringify(name === 'ask' ? decide(input) : { additionalContext: `noted ${input.words}` })
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'permission', version: '1' },
  }),
  'tools/list': () => ({ tools: ['ask', 'note'].map((name) => ({ name, inputSchema: { type: 'object' } })) }),
  'tools/call': (params) => ({ content: [{ type: 'text', text: call(params) }] }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined)
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method]?.(params) ?? {} }))
})
