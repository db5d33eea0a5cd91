import { startScriptedServer, text, toolUse } from '@x/model-anthropic/testing'
import { expect, it } from 'vitest'
import { collect, resultsOf, Scripted } from './scripted.ts'

const agent = (prompt: string): ReturnType<typeof text> =>
  toolUse('Agent', { description: 'a task', prompt, subagent_type: 'general-purpose' })

it('what agents do is told once, however deep they are', async () => {
  const server = await startScriptedServer({
    respond({ body }) {
      const first = JSON.stringify(body.messages[0]?.content)
      const isFirst = body.messages.length === 1
      if (first.includes('Lower')) return [text('Lower is done.')]
      if (first.includes('Upper')) return isFirst ? [agent('Lower')] : [text('Upper is done.')]
      return isFirst ? [agent('Upper')] : [text('All done.')]
    },
  })
  await using scripted = new Scripted(server, {})
  const events = await collect(scripted.ask('Main'))
  expect(resultsOf(events)[0]?.result).toBe('All done.')
  expect(events.filter((event) => event.type === 'tool_progress').map(({ phase }) => phase)).toEqual([
    'start',
    'start',
    'end',
    'end',
  ])
})
