import { globSync, readFileSync, writeFileSync } from 'node:fs'
import type { SessionEvent } from '@x/contract'
import { text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import type { QueryOptions } from '../src/index.ts'
import { answer, configure, load } from './hook-settings.ts'
import { collect, createTalk, resultsOf, Scripted, textOf, toolResultsOf } from './scripted.ts'
import { createTool, notesOf, refusals, sentCalls, sentResults } from './wire.ts'

// The numbers are those of section 11 of the hooks contract, and of the examples of the command line's.

const touch = (name: string) => toolUse('Bash', { command: `echo ran >> ${name}` })
const decide = (permissionDecision: string, more: object = {}): string =>
  answer({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more } })
const allows = { PreToolUse: [{ hooks: [() => ({ permissionDecision: 'allow' as const })] }] }
const defers = { PreToolUse: [{ hooks: [() => ({ permissionDecision: 'defer' as const })] }] }

/** A session that ended with its one call put off. */
async function park(scripted: Scripted, options: QueryOptions = {}): Promise<readonly SessionEvent[]> {
  const events = await collect(scripted.ask('Go', { hooks: defers, ...options }))
  expect(resultsOf(events).at(-1)).toMatchObject({ terminal_reason: 'tool_deferred' })
  return events
}

/** The one transcript of a folder. */
function transcriptOf(scripted: Scripted): string {
  const [path = ''] = globSync('.x/projects/*/*.jsonl', { cwd: scripted.cwd })
  return scripted.path(path)
}

const idOf = (events: readonly SessionEvent[]): string => events[0]?.session_id ?? ''

describe('a call that a hook puts off', () => {
  it('24 (cli.md), 30. ends the query with the call, also where another hook asks', async () => {
    await using scripted = await Scripted.start([[text('Let me see.'), touch('a')], [text('Never.')]])
    configure(scripted, {
      PreToolUse: [{ command: decide('defer', { additionalContext: 'lost' }) }, { command: decide('ask') }],
      PostToolUse: [{ command: 'touch after' }],
      PostToolUseFailure: [{ command: 'touch after' }],
      Stop: [{ command: 'touch stopped' }],
    })
    const events = await collect(scripted.ask('Go', { settings: await load(scripted) }))
    const input = { command: 'echo ran >> a' }
    expect(events.at(-1)).toMatchObject({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'Let me see.',
      stop_reason: 'tool_deferred',
      terminal_reason: 'tool_deferred',
      deferred_tool_use: { id: expect.stringMatching(/./), name: 'Bash', input },
      permission_denials: [],
    })
    expect(toolResultsOf(events)).toEqual([])
    expect(JSON.stringify(events)).not.toContain('lost')
    expect(scripted.server.requests).toHaveLength(1)
    expect(['a', 'after', 'stopped'].map((name) => scripted.read(name))).toEqual(Array(3).fill(undefined))
  })

  it.each(['streaming', 'batch'] as const)(
    '%s: is one of a message without a second call',
    async (engine) => {
      await using scripted = await Scripted.start([[touch('a'), touch('b')], [touch('c')]])
      const events = await park(scripted, { engine, permissionMode: 'bypassPermissions' })
      expect(['a', 'b', 'c'].map((name) => scripted.read(name))).toEqual(['ran\n', 'ran\n', undefined])
      expect(notesOf(events).filter((note) => note.includes('defer'))).toHaveLength(2)
    },
  )

  it('31. is none where somebody can be asked: the hook is told, and has no say', async () => {
    await using scripted = await Scripted.start([[touch('a')], [text('Done.')]])
    const canUseTool = async () => ({ behavior: 'allow' as const })
    const events = await collect(scripted.ask('Go', { hooks: defers, canUseTool }))
    expect(resultsOf(events).at(-1)).toMatchObject({ terminal_reason: 'completed' })
    expect(notesOf(events)).toEqual([expect.stringContaining('defer')])
    expect(scripted.read('a')).toBe('ran\n')
  })

  it('is none of an agent', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Agent', { description: 'a', prompt: 'b', subagent_type: 'general-purpose' })],
      [touch('a')],
      [text('The agent is done.')],
      [text('Done.')],
    ])
    const hooks = { PreToolUse: defers.PreToolUse.map((group) => ({ ...group, matcher: 'Bash' })) }
    const events = await collect(scripted.ask('Go', { hooks, permissionMode: 'bypassPermissions' }))
    expect(resultsOf(events).at(-1)).toMatchObject({ terminal_reason: 'completed', result: 'Done.' })
    expect(scripted.read('a')).toBe('ran\n')
  })

  it('32. is none beside another: both go their way, with a warning', async () => {
    await using scripted = await Scripted.start([[touch('a'), touch('b')], [text('Done.')]])
    configure(scripted, { PreToolUse: [{ command: decide('defer') }] })
    const events = await collect(
      scripted.ask('Go', { settings: await load(scripted), permissionMode: 'bypassPermissions' }),
    )
    expect(resultsOf(events).at(-1)).toMatchObject({ terminal_reason: 'completed', stop_reason: 'end_turn' })
    expect(notesOf(events).filter((note) => note.includes('defer'))).toHaveLength(2)
    expect([scripted.read('a'), scripted.read('b')]).toEqual(['ran\n', 'ran\n'])
  })

  it('is none where a rule denies it, or another hook', async () => {
    for (const [options, hook] of [
      [{ disallowedTools: ['Bash(echo *)'] }, 'defer'],
      [{}, 'deny'],
    ] as const) {
      await using scripted = await Scripted.start([[touch('a')], [text('Done.')]])
      const hooks = { PreToolUse: [...defers.PreToolUse, { hooks: [() => ({ permissionDecision: hook })] }] }
      const events = await collect(scripted.ask('Go', { hooks, ...options }))
      expect(resultsOf(events).at(-1)).toMatchObject({
        terminal_reason: 'completed',
        permission_denials: [{ tool_name: 'Bash' }],
      })
    }
  })

  it('ends the session: what the user says next is not heard', async () => {
    await using scripted = await Scripted.start([[touch('a')], [text('Never.')]])
    const talk = createTalk()
    talk.say('Go')
    talk.say('And then?')
    const events = await collect(scripted.ask(talk.prompt, { hooks: defers }))
    expect(resultsOf(events)).toHaveLength(1)
    expect(scripted.server.requests).toHaveLength(1)
  })

  it('is cancelled like any other while its message is still on its way', async () => {
    await using scripted = await Scripted.start([[touch('a')]])
    const running = scripted.ask('Go', {
      hooks: { PreToolUse: [{ hooks: [() => (running.interrupt(), { permissionDecision: 'defer' })] }] },
    })
    const events = await collect(running)
    expect(resultsOf(events).at(-1)?.terminal_reason).toMatch(/^aborted/)
  })
})

describe('a session that goes on after it', () => {
  it('asks hooks and rules again and runs the call once, before it hears the prompt', async () => {
    await using scripted = await Scripted.start([
      [text('Let me see.'), touch('a')],
      [text('It ran.')],
      [text('Welcome.')],
      [text('Again.')],
    ])
    const before = await park(scripted)
    const resume = idOf(before)
    const after = await collect(scripted.ask('Thanks', { resume, hooks: allows }))
    expect(resultsOf(after).map(({ result, terminal_reason: why }) => [result, why])).toEqual([
      ['It ran.', 'completed'],
      ['Welcome.', 'completed'],
    ])
    expect(scripted.read('a')).toBe('ran\n')
    expect(sentResults(scripted, 1)).toMatchObject([{ id: sentCalls(scripted, 1)[0], isError: false }])
    expect(JSON.stringify(scripted.server.requests[1]?.body.messages)).not.toContain('unknown')
    // What was sent stays a beginning of what is sent, and nothing stands in the file twice.
    await collect(scripted.ask('And?', { resume, hooks: allows }))
    expect(scripted.server.requests.map(({ body }) => body.messages.length)).toEqual([1, 3, 5, 7])
    expect(scripted.read('a')).toBe('ran\n')
    expect(refusals(scripted)).toEqual([])
    expect([...before, ...after].map(({ sequence }) => sequence)).toEqual(
      [...before, ...after].map((_, index) => index),
    )
  })

  it('tells the model what was refused meanwhile', async () => {
    await using scripted = await Scripted.start([[touch('a')], [text('Pity.')], [text('Well.')]])
    const resume = idOf(await park(scripted))
    const after = await collect(scripted.ask('Go on', { resume, disallowedTools: ['Bash(echo *)'] }))
    expect(toolResultsOf(after)).toMatchObject([{ is_error: true }])
    expect(resultsOf(after).map(({ result }) => result)).toEqual(['Pity.', 'Well.'])
  })

  it('takes what a hook answers in place of the user', async () => {
    await using scripted = await Scripted.start([
      [toolUse('AskUserQuestion', { id: 'one' })],
      [text('Blue it is.')],
      [text('Well.')],
    ])
    const asking = createTool('AskUserQuestion', ({ answers }) => `answered ${String(answers)}`, {
      requiresUserInteraction: true,
    })
    const resume = idOf(await park(scripted, { extraTools: [asking] }))
    const updatedInput = { id: 'one', answers: 'blue' }
    const hooks = {
      PreToolUse: [{ hooks: [() => ({ permissionDecision: 'allow' as const, updatedInput })] }],
    }
    const after = await collect(scripted.ask('Go on', { resume, hooks, extraTools: [asking] }))
    expect(textOf(toolResultsOf(after)[0])).toBe('answered blue')
  })

  it('parks the call again as often as a hook says so', async () => {
    await using scripted = await Scripted.start([[touch('a')], [text('It ran.')], [text('Welcome.')]])
    const first = await park(scripted)
    const resume = idOf(first)
    const second = await park(scripted, { resume })
    expect(resultsOf(second)).toMatchObject([
      { deferred_tool_use: resultsOf(first)[0]?.deferred_tool_use, stop_reason: 'tool_deferred' },
    ])
    expect(scripted.server.requests).toHaveLength(1)
    await collect(scripted.ask('Thanks', { resume, hooks: allows }))
    expect(scripted.read('a')).toBe('ran\n')
    expect(refusals(scripted)).toEqual([])
  })

  it('without the tool ends at once, and the call waits on', async () => {
    await using scripted = await Scripted.start([[touch('a')], [text('It ran.')], [text('Welcome.')]])
    const resume = idOf(await park(scripted))
    const asked: unknown[] = []
    const hooks = { PreToolUse: [{ hooks: [() => void asked.push('asked')] }] }
    const after = await collect(scripted.ask('Go on', { resume, hooks, disallowedTools: ['Bash'] }))
    expect(resultsOf(after)).toMatchObject([
      {
        is_error: true,
        stop_reason: 'tool_deferred_unavailable',
        terminal_reason: 'tool_deferred_unavailable',
        deferred_tool_use: { name: 'Bash' },
      },
    ])
    expect(asked).toEqual([])
    await collect(scripted.ask('Go on', { resume, hooks: allows }))
    expect(scripted.read('a')).toBe('ran\n')
  })

  it('runs it once at most, wherever the session that ran it was cut off', async () => {
    const answers = Array.from({ length: 200 }, () => [text('Well.')])
    await using scripted = await Scripted.start([[toolUse('Send', {})], ...answers])
    const sent: unknown[] = []
    const send = createTool('Send', (input) => void sent.push(input), { isReadOnly: () => false })
    const again = { hooks: allows, extraTools: [send] }
    const resume = idOf(await park(scripted, { extraTools: [send] }))
    const path = transcriptOf(scripted)
    const parked = readFileSync(path).length
    await collect(scripted.ask('Go on', { resume, ...again }))
    const whole = readFileSync(path)
    const lines = whole.toString().split('\n')
    const ends = lines.map((_, index) => Buffer.byteLength(lines.slice(0, index + 1).join('\n')))
    const begun = ends[lines.findIndex((line) => line.includes('"x-call-started"'))] ?? 0
    expect(begun).toBeGreaterThan(parked)
    // As a crash leaves it: at the end of each line, and in its middle. What begins is on record before.
    for (const end of ends.filter((place) => place > parked).flatMap((place) => [place - 10, place])) {
      sent.length = 0
      writeFileSync(path, whole.subarray(0, end))
      await collect(scripted.ask('Go on', { resume, ...again }))
      expect([end, sent.length]).toEqual([end, end >= begun ? 0 : 1])
    }
    expect(refusals(scripted)).toEqual([])
  })

  it('leaves it where it is when the hooks at the start are interrupted', async () => {
    await using scripted = await Scripted.start([[touch('a')], [text('It ran.')], [text('Welcome.')]])
    const resume = idOf(await park(scripted))
    const running = scripted.ask('Go on', {
      resume,
      hooks: { ...allows, SessionStart: [{ hooks: [() => void running.interrupt({ cancelQueued: true })] }] },
    })
    expect(resultsOf(await collect(running))).toMatchObject([{ terminal_reason: 'aborted_streaming' }])
    expect([scripted.read('a'), scripted.server.requests.length]).toEqual([undefined, 1])
    await collect(scripted.ask('Go on', { resume, hooks: allows }))
    expect(scripted.read('a')).toBe('ran\n')
    expect(refusals(scripted)).toEqual([])
  })

  it('in a copy does not run it', async () => {
    await using scripted = await Scripted.start([[touch('a')], [text('I see.')]])
    const resume = idOf(await park(scripted))
    await collect(scripted.ask('Go on', { resume, forkSession: true, hooks: allows }))
    expect(scripted.read('a')).toBeUndefined()
    expect(JSON.stringify(scripted.server.requests[1]?.body.messages)).toContain('unknown')
  })
})
