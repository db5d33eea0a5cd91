import { startScriptedServer, text, toolUse } from '@x/model-anthropic/testing'
import { query } from '@x/session'

// A scripted model instead of a real one, so that this runs anywhere. Leave `env` out to use yours.
await using server = await startScriptedServer({
  script: [[toolUse('Glob', { pattern: '*.json' })], [text('I looked around.')]],
})

for await (const event of query({
  prompt: 'Look around.',
  options: { env: { ANTHROPIC_BASE_URL: server.url } },
})) {
  if (event.type === 'tool_progress') console.log(event.tool_name, event.phase)
  if (event.type === 'result') console.log(event.result) // I looked around.
}
