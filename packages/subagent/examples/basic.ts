import { callTool, createToolUseContext, type RunAgent } from '@x/contract'
import { builtInAgents, createAgents, createAgentTool } from '@x/subagent'

// A loop of one's own: ask a model, run its calls, until it is done. This "model" answers at once.
const runAgent: RunAgent = async ({ prompt, history, agent, tools, signal }) => {
  signal.throwIfAborted()
  const text = `${agent.type} looked with ${tools.length} tools: it is in src/login.ts:12.`
  return { reason: 'completed', messages: [...history, ...prompt, { role: 'assistant', content: text }] }
}

const agents = createAgents({ definitions: () => builtInAgents(), runAgent })
const agentTool = createAgentTool(agents)
const context = createToolUseContext({ cwd: process.cwd() })

const input = { description: 'find login', prompt: 'Where is the login?', subagent_type: 'explore' }
const { data } = await callTool(agentTool, input, context)
if (data.status !== 'async_launched') console.log(data.status, '-', data.report.lastText)
// completed - Explore looked with 0 tools: it is in src/login.ts:12.
await agents.close()
