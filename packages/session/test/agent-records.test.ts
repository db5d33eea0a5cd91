import type { ToolProgressRecord } from '@x/contract'
import { startScriptedServer, status, text, toolUse } from '@x/model-anthropic/testing'
import { expect, it } from 'vitest'
import { agent } from './places.ts'
import { collect, Scripted } from './scripted.ts'

it('progress names the type of the agent that it is about, and its failed requests (cli.md 3.3)', async () => {
  let failures = 0
  const server = await startScriptedServer({
    respond({ body: { messages } }) {
      const prompt = JSON.stringify(messages[0]?.content)
      const turn = messages.filter(({ role }) => role === 'assistant').length
      if (prompt.includes('LEAF')) {
        if (turn > 0) return [text('Seen.')]
        failures += 1
        return failures === 1 ? status(529) : [toolUse('Glob', { pattern: '*' })]
      }
      const leaf = agent('LEAF', { subagent_type: 'Explore' })
      if (prompt.includes('MIDDLE')) return turn === 0 ? [leaf] : [text('Well.')]
      return turn === 0 ? [agent('MIDDLE', { run_in_background: true })] : [text('Done.')]
    },
  })
  await using scripted = new Scripted(server, {})
  const events = await collect(scripted.ask('MAIN'))
  const calls = events.flatMap((event) =>
    event.type === 'assistant' && typeof event.message.content !== 'string' ? event.message.content : [],
  )
  const [middle, leaf] = calls.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
  const progress = events.filter(
    (event): event is typeof event & ToolProgressRecord => event.type === 'tool_progress',
  )
  const [retry, ...others] = progress.filter(({ subagent_retry: one }) => one !== undefined)
  expect(others).toEqual([])
  expect(retry?.subagent_retry).not.toHaveProperty('parent_tool_use_id')
  expect(retry).toMatchObject({
    tool_use_id: leaf,
    tool_name: 'Agent',
    parent_tool_use_id: middle,
    elapsed_time_seconds: expect.any(Number),
    subagent_type: 'Explore',
    subagent_retry: {
      attempt: 1,
      max_retries: 10,
      retry_delay_ms: expect.any(Number),
      error_status: 529,
      error: 'overloaded',
    },
  })
  const types = progress.map((one) => [one.tool_name, one.subagent_type])
  expect(types).toContainEqual(['Glob', 'Explore'])
  expect(types).toContainEqual(['Agent', 'general-purpose'])
  expect(types).toContainEqual(['Agent', undefined])
})
