import { mkdirSync, writeFileSync } from 'node:fs'
import type { EffortLevel } from '@x/contract'
import { type RecordedRequest, text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { loadSessionSettings, type QueryOptions } from '../src/index.ts'
import { collect, createTalk, Scripted } from './scripted.ts'

const rev = (fields: object = {}) => ({
  agents: { rev: { description: 'd', prompt: 'You review.', ...fields } },
})

const callRev = toolUse('Agent', { description: 'a task', prompt: 'Do it', subagent_type: 'rev' })

function effortOf(request: RecordedRequest | undefined): unknown {
  return request?.body['output_config']
}

/** What the main conversation, its agent, and the main conversation again are asked for. */
async function effortsOf(options: QueryOptions, env: Record<string, string> = {}) {
  await using scripted = await Scripted.start([[callRev], [text('Done.')], [text('Fine.')]])
  await collect(scripted.ask('Main', { env: { ...scripted.env, ...env }, ...options }))
  expect(scripted.server.requests).toHaveLength(3)
  return scripted.server.requests.map(effortOf)
}

const low = { effort: 'low' }
const high = { effort: 'high' }
const none = undefined

describe('effort', () => {
  it.each<[string, QueryOptions, Record<string, string>, readonly unknown[]]>([
    ['nobody names one', rev(), {}, [none, none, none]],
    ['the agent names one', rev({ effort: 'low' }), {}, [none, low, none]],
    ['the session names one', { ...rev(), effort: 'high' }, {}, [high, high, high]],
    ['both do', { ...rev({ effort: 'low' }), effort: 'high' }, {}, [high, low, high]],
    [
      'the environment does',
      { ...rev({ effort: 'low' }), effort: 'low' },
      { CLAUDE_CODE_EFFORT_LEVEL: 'high' },
      [high, high, high],
    ],
    ['the environment cannot be read', rev(), { CLAUDE_CODE_EFFORT_LEVEL: 'auto' }, [none, none, none]],
    [
      'the agent’s model knows none',
      rev({ effort: 'low', model: 'claude-sonnet-4-5' }),
      {},
      [none, none, none],
    ],
    [
      'the session’s model knows none',
      { ...rev({ model: 'opus' }), model: 'local-1', effort: 'low' },
      {},
      [none, low, none],
    ],
  ])('reaches each request of the session and of its agents: %s', async (...[, options, env, expected]) => {
    expect(await effortsOf(options, env)).toEqual(expected)
  })

  it('is told to the hooks of calls, as far as the model knows it', async () => {
    const read = toolUse('Read', { file_path: 'a.txt' })
    for (const [options, expected] of [
      [{ ...rev({ effort: 'low' }), model: 'claude-opus-4-5', effort: 'max' }, [high.effort, low.effort]],
      [{ ...rev({ effort: 'low', model: 'haiku' }), model: 'claude-opus-4-5' }, [none, low.effort]],
      [rev(), [none, none]],
    ] satisfies [QueryOptions, unknown][]) {
      await using scripted = await Scripted.start([[callRev], [read], [text('Done.')], [text('Fine.')]])
      const told: unknown[] = []
      const hooks = { PreToolUse: [{ hooks: [(input: object) => void told.push(input)] }] }
      await collect(scripted.ask('Main', { ...options, hooks }))
      expect(told.map((input) => Object(input).effort?.level)).toEqual(expected)
    }
  })

  it('stays as it is in the requests of an agent that goes on working', async () => {
    await using scripted = await Scripted.start([
      [callRev],
      [toolUse('Glob', { pattern: '*' })],
      [text('Done.')],
      [text('Fine.')],
    ])
    await collect(scripted.ask('Main', rev({ effort: 'max' })))
    expect(scripted.server.requests.map(effortOf)).toEqual([none, { effort: 'max' }, { effort: 'max' }, none])
  })

  it('of the session’s own agent counts where the options name none', async () => {
    await using scripted = await Scripted.start([[text('One.')], [text('Two.')]])
    const options = { ...rev({ effort: 'low' }), agent: 'rev' }
    await collect(scripted.ask('Main', options))
    await collect(scripted.ask('Main', { ...options, effort: 'high' }))
    expect(scripted.server.requests.map(effortOf)).toEqual([low, high])
  })

  it.each([
    ['low', low],
    ['extreme', none],
  ])('is read from settings: effortLevel %j', async (effortLevel, expected) => {
    await using scripted = await Scripted.start([[text('One.')], [text('Two.')]])
    mkdirSync(scripted.path('.claude'))
    writeFileSync(scripted.path('.claude/settings.json'), JSON.stringify({ effortLevel }))
    const home = scripted.path('home')
    const { cwd, env } = scripted
    const settings = await loadSessionSettings({ cwd, env, home, managedFolder: false })
    await collect(scripted.ask('Main', { settings }))
    await collect(scripted.ask('Main', { settings, effort: 'high' }))
    expect(scripted.server.requests.map(effortOf)).toEqual([expected, high])
  })

  it('is that of the conversation where the user asks for a summary of it', async () => {
    await using scripted = await Scripted.start([
      [text('a'.repeat(5_000))],
      [text('b')],
      [text('c')],
      [text('d')],
      [text('SUMMARY')],
    ])
    const talk = createTalk()
    const prompts = ['1', '2', '3', '4', '/compact']
    const next = () => {
      const prompt = prompts.shift()
      if (prompt === undefined) talk.end()
      else talk.say(prompt)
    }
    next()
    for await (const event of scripted.ask(talk.prompt, { effort: 'low' }))
      if (event.type === 'result') next()
    expect(scripted.server.requests.map(effortOf)).toEqual([low, low, low, low, low])
  })

  it('that is none is a TypeError', async () => {
    await using scripted = await Scripted.start([])
    // What a program without types may give.
    const effort = 'extreme' as EffortLevel
    expect(() => scripted.ask('Main', { effort })).toThrow(/effort must be one of low, .*not "extreme"/)
  })
})
