import { createToolUseContext, defineTool, type Message, type Model } from '@x/contract'
import { runQuery } from '@x/loop'
import { z } from 'zod'

const clock = defineTool({
  name: 'Clock',
  description: 'Tells the time.',
  inputSchema: z.strictObject({}),
  isReadOnly: () => true,
  call: async () => ({ data: '12:00' }),
  mapResult: (time, id) => ({ type: 'tool_result', tool_use_id: id, content: time }),
})
const cache = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
const usage = { input_tokens: 9, output_tokens: 9, ...cache }
// A model that asks for the time once. A real one: createAnthropicModel of @x/model-anthropic.
const model: Model = {
  contextWindow: () => 200_000,
  async *stream({ messages }) {
    const isFirst = messages.length === 1
    yield { type: 'message-start', id: `msg_${messages.length}`, model: 'demo', usage }
    if (isFirst)
      yield { type: 'block-end', index: 0, block: { type: 'tool_use', id: 'c1', name: 'Clock', input: {} } }
    else yield { type: 'block-end', index: 0, block: { type: 'text', text: 'It is noon.' } }
    yield { type: 'message-end', stopReason: isFirst ? 'tool_use' : 'end_turn', usage }
  },
}
const log: Message[] = []
const query = runQuery({
  model,
  modelName: 'demo',
  prompt: [{ role: 'user', content: 'What time is it?' }],
  tools: () => [clock],
  context: createToolUseContext({ cwd: process.cwd() }),
  authorize: async () => ({ behavior: 'allow', reason: { type: 'mode', detail: 'demo' } }),
  history: { append: async (messages) => void log.push(...messages) },
  controller: new AbortController(),
})
for await (const record of query) {
  if (record.type === 'tool_progress') console.log(record.tool_name, record.phase)
  if (record.type === 'result') console.log(record.result, `(${log.length} messages logged)`)
}
