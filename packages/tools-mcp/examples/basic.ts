import { createMcpConnections, readMcpConfig, toResultText } from '@x/tools-mcp'

// A whole MCP server: one tool that says how long a word is. A real configuration names a real one.
const script = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const results = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'words', version: '1' } },
    'tools/list': { tools: [{ name: 'length', inputSchema: { type: 'object', properties: { word: { type: 'string' } } } }] },
    'tools/call': { content: [{ type: 'text', text: String(params?.arguments?.word?.length) }] },
  }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }))
})`

const file = {
  mcpServers: { words: { command: process.execPath, args: ['-e', script] }, odd: { url: 'https://x' } },
}
const { servers, problems } = readMcpConfig(file, { scope: 'project', env: process.env })
console.log(problems[0]?.message) // "url" without "type": add "type": "http" or "type": "sse".

await using connections = createMcpConnections(servers, { cwd: process.cwd() })
await connections.connect()
console.log(connections.statuses().map(({ name, status }) => `${name} ${status}`)) // [ 'words connected' ]
console.log(connections.tools().map(({ name }) => name)) // [ 'mcp__words__length' ]
console.log(toResultText(await connections.call('words', 'length', { input: { word: 'horse' } }))) // 5
