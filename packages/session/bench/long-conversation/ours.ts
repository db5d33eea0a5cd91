// The conversation held by `query`, as a program would. Runs as JavaScript on the built packages: see the benchmark beside this folder.
import { defineTool } from '@x/contract'
import { query } from '@x/session'
import { z } from 'zod'

const [url = '', callsPerTurn = '5'] = process.argv.slice(1)
const note = defineTool({
  name: 'Note',
  description: 'Takes a note.',
  inputSchema: z.strictObject({ turn: z.number() }),
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  call: async () => ({ data: 'x'.repeat(1_000) }),
  mapResult: (output, toolUseId) => ({ type: 'tool_result', tool_use_id: toolUseId, content: output }),
})
const env = { ANTHROPIC_BASE_URL: url, PATH: process.env['PATH'] }
const costs: number[] = []
let results = 0
let before = process.cpuUsage()
for await (const event of query({ prompt: 'Go.', options: { env, extraTools: [note], tools: [] } })) {
  if (event.type !== 'user' || ++results % Number(callsPerTurn) !== 0) continue
  const { user, system } = process.cpuUsage(before)
  costs.push((user + system) / 1_000)
  before = process.cpuUsage()
}
console.log(JSON.stringify({ costs, peakMiB: process.resourceUsage().maxRSS / 1024 }))
