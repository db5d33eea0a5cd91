import { startScriptedServer, text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import type { QueryOptions } from '../src/index.ts'
import { collect, resultsOf, Scripted, textOf, toolResultsOf } from './scripted.ts'

type Reply = ReturnType<typeof text>

const agent = (prompt: string): Reply =>
  toolUse('Agent', { description: 'a task', prompt, subagent_type: 'general-purpose' })
const look = toolUse('Bash', { command: 'true' })

/** Answers by how the conversation begins, and how many answers it has had; whoever is asked to report says so. */
async function scriptedBy(answers: Readonly<Record<string, readonly (readonly Reply[])[]>>) {
  const server = await startScriptedServer({
    respond({ body }) {
      const first = JSON.stringify(body.messages[0]?.content)
      const key = Object.keys(answers).find((name) => first.includes(name)) ?? ''
      const turn = body.messages.filter(({ role }) => role === 'assistant').length
      return [...(answers[key]?.[turn] ?? [text(`${key} reports.`)])]
    },
  })
  return new Scripted(server, {})
}

async function reportsOf(scripted: Scripted, options: QueryOptions): Promise<readonly string[]> {
  const events = await collect(scripted.ask('Main', { permissionMode: 'bypassPermissions', ...options }))
  expect(resultsOf(events)[0]?.is_error).toBe(false)
  const own = events.filter((event) => 'parent_tool_use_id' in event && event.parent_tool_use_id === null)
  return toolResultsOf(own).map(textOf)
}

describe('what agents of a session may use', () => {
  it('is one purse: what the agents of an agent use is gone for all', async () => {
    await using scripted = await scriptedBy({
      Main: [[agent('Upper')], [agent('Later')]],
      Upper: [[agent('Lower')]],
      Lower: [[look, look]],
    })
    const [upper, later] = await reportsOf(scripted, { agentBudget: { maxCalls: 3 } })
    expect(upper).toContain('Upper reports.')
    expect(later).toContain('Budget limit reached: the budget of 3 tool calls is spent')
    expect(JSON.stringify(scripted.server.requests)).not.toContain('Later reports.')
  })

  it('counts tokens; an agent that finishes with the last of them has finished', async () => {
    await using scripted = await scriptedBy({ Main: [[agent('One')], [agent('Two')]], One: [] })
    const [one, two] = await reportsOf(scripted, { agentBudget: { maxTokens: 1 } })
    expect(one).toContain('One reports.')
    expect(one).not.toContain('did not finish')
    expect(two).toContain('Budget limit reached: the budget of 1 tokens is spent')
  })

  it('ends with time', async () => {
    await using scripted = await scriptedBy({
      Main: [[agent('Slow')]],
      Slow: [[toolUse('Bash', { command: 'sleep 60' })]],
    })
    const [slow] = await reportsOf(scripted, { agentBudget: { maxMs: 1_500 } })
    expect(slow).toContain('the time of 1500 ms is over')
    expect(slow).toContain('Slow reports.')
  })

  it('can be a share of each, which says nothing of the others', async () => {
    await using scripted = await scriptedBy({
      Main: [[agent('Busy'), agent('Quick')]],
      Busy: [[look], [look], [look]],
      Quick: [],
    })
    const reports = await reportsOf(scripted, { limitsPerAgent: { maxCalls: 2 } })
    expect(reports[0]).toContain('the budget of 2 tool calls is spent')
    expect(reports[0]).toContain('Busy reports.')
    expect(reports[1]).toContain('Quick reports.')
    expect(reports[1]).not.toContain('budget')
  })

  it('is more than nothing', async () => {
    await using scripted = await scriptedBy({})
    expect(() => scripted.ask('Main', { agentBudget: { maxTokens: 0 } })).toThrow(RangeError)
    expect(() => scripted.ask('Main', { limitsPerAgent: { maxCalls: -1 } })).toThrow(RangeError)
  })
})
