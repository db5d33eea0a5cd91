import { type AssistantMessage, createToolUseContext, defineTool } from '@x/contract'
import { createStreamingToolExecutor } from '@x/executor'
import { z } from 'zod'

const add = defineTool({
  name: 'Add',
  description: 'Adds two numbers.',
  inputSchema: z.strictObject({ a: z.number(), b: z.number() }),
  isConcurrencySafe: () => true,
  call: async ({ a, b }) => ({ data: a + b }),
  mapResult: (sum, toolUseId) => ({ type: 'tool_result', tool_use_id: toolUseId, content: String(sum) }),
})

await using executor = createStreamingToolExecutor({
  query: new AbortController(),
  authorize: async () => ({ behavior: 'allow', reason: { type: 'mode', detail: 'example' } }),
  context: createToolUseContext({ cwd: process.cwd(), options: { tools: [add] } }),
})

const message: AssistantMessage = { role: 'assistant', content: [] }
executor.addTool({ type: 'tool_use', id: 'call_1', name: 'Add', input: { a: 2, b: '3' } }, message)
executor.addTool({ type: 'tool_use', id: 'call_2', name: 'Add', input: { a: 2 } }, message)
for await (const event of executor.getRemainingResults()) {
  if (event.type === 'tool-result') console.log(event.cause, event.result.content)
}
