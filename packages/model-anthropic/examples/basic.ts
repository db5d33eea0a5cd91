import { createAnthropicModel } from '@x/model-anthropic'
import { startScriptedServer, text, toolUse } from '@x/model-anthropic/testing'

await using server = await startScriptedServer({
  script: [[text('Let me look. '), toolUse('Read', { file_path: 'notes.txt' })]],
})
const model = createAnthropicModel({ baseURL: server.url })

const events = model.stream({
  model: 'claude-sonnet-5-5',
  system: [],
  tools: [],
  messages: [{ role: 'user', content: 'What do my notes say?' }],
  signal: new AbortController().signal,
})
for await (const event of events) {
  if (event.type === 'block-end') console.log(event.block)
  if (event.type === 'message-end') console.log(event.stopReason)
}
