import { text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import type { QueryOptions } from '../src/index.ts'
import { collect, createTalk, resultsOf, Scripted } from './scripted.ts'

/** Says one thing after the other; gives the events. */
async function talk(scripted: Scripted, prompts: readonly string[], options: QueryOptions = {}) {
  const said = createTalk()
  const waiting = [...prompts]
  said.say(waiting.shift() ?? '')
  const events = []
  for await (const event of scripted.ask(said.prompt, options)) {
    events.push(event)
    if (event.type !== 'result') continue
    const next = waiting.shift()
    if (next === undefined) said.end()
    else said.say(next)
  }
  return events
}

/** Turns that stay as they are. */
const small = [[text('a')], [text('b')], [text('c')]]

function told({ server }: Scripted, index: number): string {
  return JSON.stringify(server.requests[index]?.body.messages)
}

function subtypes(events: Awaited<ReturnType<typeof talk>>): readonly string[] {
  return events.flatMap((event) => (event.type === 'system' ? [event.subtype] : []))
}

describe('/compact', () => {
  it('makes a summary of the conversation, which goes on from it, also after a resume', async () => {
    await using scripted = await Scripted.start(
      [
        [toolUse('Read', { file_path: 'plan.txt' })],
        [text(`I read the plan. ${'More of it. '.repeat(200)}`)],
        ...small,
        [text('SUMMARY: the plan is known.')],
        [text('On with it.')],
        [text('And on.')],
      ],
      { 'plan.txt': 'first this, then that' },
    )
    const compacts: unknown[] = []
    const hooks = {
      PreCompact: [{ hooks: [(input: object) => void compacts.push(input)] }],
      PostCompact: [{ hooks: [(input: object) => void compacts.push(input)] }],
      SessionStart: [{ matcher: 'compact', hooks: [() => ({ additionalContext: 'said again' })] }],
    }
    const prompts = ['Read the plan', '1', '2', '3', '/compact keep the plan', 'Go on']
    const events = await talk(scripted, prompts, { hooks })
    expect(resultsOf(events).filter(({ is_error: isError }) => isError)).toEqual([])
    expect(told(scripted, 5)).toContain('keep the plan')
    expect(told(scripted, 6)).toMatch(/SUMMARY.*first this, then that.*said again.*Go on/)
    expect(told(scripted, 6)).not.toContain('More of it')
    expect(subtypes(events)).toContain('compact_boundary')
    expect(compacts).toMatchObject([
      { trigger: 'manual', custom_instructions: 'keep the plan' },
      { trigger: 'manual', compact_summary: expect.stringContaining('SUMMARY') },
    ])
    await collect(scripted.ask('Once more', { resume: events[0]?.session_id ?? '' }))
    expect(told(scripted, 7)).toMatch(/SUMMARY.*Go on.*On with it.*Once more/)
    expect(scripted.server.requests.map(({ status }) => status)).not.toContain(400)
  })

  it('that a hook blocks, that fails, or that has nothing to do leaves the conversation as it was', async () => {
    await using scripted = await Scripted.start([
      [text('Hello. '.repeat(500))],
      [text('Yes. '.repeat(500))],
      ...small,
      [toolUse('Glob', { pattern: '*' })],
      [text('Bye.')],
    ])
    let blocks = true
    const hooks = {
      PreCompact: [{ hooks: [() => (blocks ? { decision: 'block', reason: 'not now' } : undefined)] }],
    }
    const nothing = await talk(scripted, ['/compact'], { hooks })
    expect(resultsOf(nothing)[0]?.result).toMatch(/Nothing was compacted/)
    const said = createTalk()
    said.say('Hi')
    const results: string[] = []
    for await (const event of scripted.ask(said.prompt, { hooks })) {
      if (event.type !== 'result') continue
      results.push(event.result ?? '')
      if (results.length < 5) said.say('And?')
      if (results.length === 5) said.say('/compact')
      if (results.length === 6) {
        blocks = false
        said.say('/compact')
      }
      if (results.length === 7) said.say('Bye')
      if (results.length === 8) said.end()
    }
    expect(results[5]).toMatch(/not now/)
    expect(results[6]).toMatch(/Nothing was compacted/)
    expect(told(scripted, 6)).toMatch(/Hi.*Hello\..*Bye/)
  })
})

describe('a conversation that fills its window', () => {
  it('is compacted by itself at the part that the environment says, unless that is switched off', async () => {
    for (const [isOff, requests] of [
      [undefined, 3],
      ['1', 2],
    ] as const) {
      await using scripted = await Scripted.start([[text('Long.')], [text('SUMMARY')], [text('Short.')]])
      const env = { ...scripted.env, CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '1', DISABLE_AUTO_COMPACT: isOff }
      const hooks = {
        SessionStart: [{ matcher: 'compact', hooks: [() => ({ additionalContext: 'said again' })] }],
      }
      const events = await talk(scripted, ['word '.repeat(20_000), 'Go on'], { env, hooks })
      expect(scripted.server.requests).toHaveLength(requests)
      expect(subtypes(events).includes('compact_boundary')).toBe(isOff === undefined)
      if (isOff === undefined) expect(told(scripted, 2)).toMatch(/SUMMARY.*said again.*Go on/)
    }
  })
})
