import type { SessionEvent, ToolProgressRecord } from '@x/contract'
import { type Reply, startScriptedServer, text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { collect, resultsOf, Scripted } from './scripted.ts'

const agent = (prompt: string): ReturnType<typeof text> =>
  toolUse('Agent', { description: 'a task', prompt, subagent_type: 'general-purpose' })

const busy: Reply = {
  kind: 'status',
  status: 529,
  headers: { 'retry-after': '0' },
  body: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
}

/** Two agents in each other; the service is busy once when the lower one asks. */
async function askTwoDeep(): Promise<readonly SessionEvent[]> {
  let refusals = 1
  const server = await startScriptedServer({
    respond({ body }) {
      const first = JSON.stringify(body.messages[0]?.content)
      const isFirst = body.messages.length === 1
      if (first.includes('Lower')) return refusals-- > 0 ? busy : [text('Lower is done.')]
      if (first.includes('Upper')) return isFirst ? [agent('Lower')] : [text('Upper is done.')]
      return isFirst ? [agent('Upper')] : [text('All done.')]
    },
  })
  await using scripted = new Scripted(server, {})
  const events = await collect(scripted.ask('Main'))
  expect(resultsOf(events)[0]?.result).toBe('All done.')
  return events
}

function progressIn(events: readonly SessionEvent[]): readonly ToolProgressRecord[] {
  return events.filter((event) => event.type === 'tool_progress').filter(({ phase }) => phase === 'progress')
}

describe('while agents are at work', () => {
  it('the stream says once what they do, however deep they are', async () => {
    const progress = progressIn(await askTwoDeep())
    expect(progress.map(({ data }) => data)).toEqual(progress.map(() => undefined))
  })

  it('it says that their request is tried again, with the call that started them (cli.md, subagent_retry)', async () => {
    const events = await askTwoDeep()
    const [, lower] = events
      .filter((event) => event.type === 'assistant')
      .flatMap(({ message, parent_tool_use_id }) =>
        typeof message.content === 'string'
          ? []
          : message.content.map((block) => ({ id: 'id' in block ? block.id : '', parent_tool_use_id })),
      )
      .filter(({ id }) => id !== '')
    expect(progressIn(events)).toEqual([
      expect.objectContaining({
        tool_use_id: lower?.id,
        tool_name: 'Agent',
        parent_tool_use_id: lower?.parent_tool_use_id,
        elapsed_time_seconds: expect.any(Number),
        subagent_type: 'general-purpose',
        subagent_retry: {
          attempt: 1,
          max_retries: 10,
          retry_delay_ms: expect.any(Number),
          error_status: 529,
          error: 'overloaded',
          message: expect.stringContaining('Overloaded'),
        },
      }),
    ])
  })
})
