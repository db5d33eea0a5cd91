import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionEvent } from '@x/contract'
import { type RecordedRequest, startScriptedServer, text, toolUse } from '@x/model-anthropic/testing'
import { createSessionStore } from '@x/transcript'
import { describe, expect, it } from 'vitest'
import type { QueryOptions } from '../src/index.ts'
import { resultsOf, Scripted } from './scripted.ts'

/** A model that starts one agent in the background at the prompt and at each news of one that has ended, `times` in all. */
async function chainOf(times: number): Promise<Scripted> {
  let started = 0
  const server = await startScriptedServer({
    respond({ body: { messages } }: RecordedRequest) {
      if (!JSON.stringify(messages[0]?.content).includes('Main')) return [text('Looked.')]
      if (JSON.stringify(messages.at(-1)?.content).includes('tool_result')) return [text('Started.')]
      started += 1
      if (started > times) return [text('All have ended.')]
      const input = { description: 'look', prompt: 'Look', run_in_background: true }
      return [toolUse('Agent', input)]
    },
  })
  return new Scripted(server, {})
}

/** More than this is a session that does not end. */
const maxEvents = 400

async function collect(scripted: Scripted, options: QueryOptions = {}): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = []
  for await (const event of scripted.ask('Main', options)) {
    events.push(event)
    if (events.length > maxEvents) throw new Error('the session goes on and on')
  }
  return events
}

describe('turns for what has ended in the background', () => {
  it('are had for every agent, however many there are', async () => {
    await using scripted = await chainOf(11)
    const results = resultsOf(await collect(scripted))
    expect(results).toHaveLength(12)
    expect(results.at(-1)?.result).toBe('All have ended.')
    const last = JSON.stringify(scripted.server.requests.at(-1)?.body.messages)
    expect(last.split('<task-notification>')).toHaveLength(12)
  })

  it('cannot be lost to a kill: an agent is told of when it is safe that its end will be', async () => {
    const input = { description: 'look', prompt: 'Look', run_in_background: true }
    const calls = Array.from({ length: 12 }, () => toolUse('Agent', input))
    const server = await startScriptedServer({
      respond: ({ body: { messages } }: RecordedRequest) =>
        JSON.stringify(messages).includes('Main') && messages.length === 1 ? calls : [text('Done.')],
    })
    await using scripted = new Scripted(server, {})
    const folder = join(scripted.path('.x'), 'projects')
    const journal = (): string => {
      const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) =>
        name.endsWith('notices.jsonl'),
      )
      return file === undefined ? '' : readFileSync(join(folder, file), 'utf8')
    }
    let told = 0
    for await (const event of scripted.ask('Main')) {
      const [, agentId] = /"status":"async_launched".*?"agentId":"(\w+)"/.exec(JSON.stringify(event)) ?? []
      if (event.type !== 'user' || agentId === undefined) continue
      told += 1
      expect(journal()).toContain(agentId)
    }
    expect(told).toBe(12)
  })

  it('that a hook refuses are not asked for again; what they would tell is told by the next session', async () => {
    await using scripted = await chainOf(1)
    const hooks = {
      UserPromptSubmit: [
        {
          hooks: [
            ({ prompt }: Readonly<Record<string, unknown>>) =>
              prompt === 'Main' ? undefined : { decision: 'block', reason: 'no turn' },
          ],
        },
      ],
    }
    const events = await collect(scripted, { hooks })
    expect(resultsOf(events).map(({ is_error: isError }) => isError)).toEqual([false, true])
    await collect(scripted, { resume: events[0]?.session_id ?? '' })
    const last = JSON.stringify(scripted.server.requests.at(-1)?.body.messages)
    expect(last.split('<task-notification>')).toHaveLength(2)
  })

  it('are paid from the budget of the prompt before', async () => {
    await using scripted = await chainOf(30)
    const price = { input: 1_000, output: 1_000, cacheWrite: 1_000, cacheRead: 1_000 }
    const results = resultsOf(
      await collect(scripted, { model: 'tiny-1', prices: { 'tiny-1': price }, maxBudgetUsd: 60 }),
    )
    expect(results.at(-1)?.subtype).toBe('error_max_budget_usd')
    expect(results.length).toBeLessThan(30)
    const costs = results.map(({ total_cost_usd: cost }) => cost)
    expect(costs).toEqual(costs.toSorted((one, other) => one - other))
  })
})

describe('the journal of what is to be told', () => {
  it('goes on when the disk does, and keeps no answer from being given', async () => {
    await using scripted = await chainOf(2)
    const sessionId = randomUUID()
    const store = createSessionStore({ stateFolder: scripted.path('.x') })
    const { folder } = await store.place(scripted.cwd, sessionId)
    const journal = join(folder, 'notices.jsonl')
    // Nothing can be written where a folder stands.
    mkdirSync(journal, { recursive: true })
    let ends = 0
    const hooks = {
      SubagentStop: [
        {
          hooks: [
            () => {
              ends += 1
              if (ends === 1) rmdirSync(journal)
              return undefined
            },
          ],
        },
      ],
    }
    const results = resultsOf(await collect(scripted, { sessionId, hooks }))
    expect(results.map(({ is_error: isError }) => isError)).toEqual([false, false, false])
    const kinds = readFileSync(journal, 'utf8').match(/"kind":"\w+"/g)
    expect(kinds?.slice(-3)).toEqual(['"kind":"expected"', '"kind":"pending"', '"kind":"shown"'])
  })
})
