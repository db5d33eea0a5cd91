import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineTool, type InterruptBehavior, type SessionEvent } from '@x/contract'
import { delay, silence, text, toolUse } from '@x/model-anthropic/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createControlRouter, type QueryOptions, type SessionHookCallback } from '../src/index.ts'
import { collect, createTalk, resultsOf, Scripted, textOf, toolResultsOf } from './scripted.ts'

/** A tool that waits until it is cancelled, or until the test lets it end. */
function createWaitTool(name: string, interruptBehavior: InterruptBehavior) {
  const gate = Promise.withResolvers<void>()
  const tool = defineTool({
    name,
    description: 'Waits.',
    inputSchema: z.strictObject({}),
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    interruptBehavior: () => interruptBehavior,
    async call(_input, { abortController: { signal } }) {
      await Promise.race([gate.promise, sleep(20_000, undefined, { signal, ref: false })])
      return { data: `${name} ended by itself` }
    },
    mapResult: (output, toolUseId) => ({ type: 'tool_result', tool_use_id: toolUseId, content: output }),
  })
  return { tool, letEnd: gate.resolve }
}

const isStartOf = (event: SessionEvent, name: string): boolean =>
  event.type === 'tool_progress' && event.phase === 'start' && event.tool_name === name

describe('interrupt', () => {
  it('cancels the command, keeps what waits, and the session goes on (cli.md 21, 22)', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'sleep 300' })],
      [text('Here.')],
    ])
    const talk = createTalk()
    talk.say('Wait')
    const running = scripted.ask(talk.prompt, { permissionMode: 'bypassPermissions' })
    const events: SessionEvent[] = []
    let receipt: unknown
    for await (const event of running) {
      events.push(event)
      if (!isStartOf(event, 'Bash')) continue
      talk.say({ type: 'user', message: { role: 'user', content: 'Are you there?' }, uuid: 'u-2' })
      talk.end()
      await new Promise((resolve) => setImmediate(resolve))
      receipt = running.interrupt()
    }
    expect(receipt).toEqual({ still_queued: ['u-2'] })
    expect(resultsOf(events).map(({ terminal_reason: reason }) => reason)).toEqual([
      'aborted_tools',
      'completed',
    ])
    expect(toolResultsOf(events)[0]?.is_error).toBe(true)
  })

  it('drops what waits when asked to (cli.md 23)', async () => {
    await using scripted = await Scripted.start([[delay(50), text('x'), silence()]])
    const talk = createTalk()
    talk.say('Wait')
    talk.say({ type: 'user', message: { role: 'user', content: 'Next' }, uuid: 'u-2' })
    const running = scripted.ask(talk.prompt, { includePartialMessages: true })
    const events: SessionEvent[] = []
    for await (const event of running) {
      events.push(event)
      if (event.type !== 'stream_event' || event.ttft_ms === undefined) continue
      expect(running.interrupt({ cancelQueued: true })).toEqual({ still_queued: [], cancelled: ['u-2'] })
      talk.end()
    }
    expect(resultsOf(events).map(({ terminal_reason: reason }) => reason)).toEqual(['aborted_streaming'])
  })
})

describe('interrupt while the hooks at the start run', () => {
  /** A session whose first hook waits for its end, and the moment in which it has begun. */
  function begin(scripted: Scripted, options: QueryOptions = {}) {
    const reached = Promise.withResolvers<void>()
    const talk = createTalk()
    talk.say({ type: 'user', message: { role: 'user', content: 'First' }, uuid: 'u-1' })
    const wait: SessionHookCallback = async (_input, _id, { signal }) => {
      reached.resolve()
      await sleep(60_000, undefined, { signal, ref: false })
      return { hookSpecificOutput: { hookEventName: 'SessionStart', initialUserMessage: 'Of the hook' } }
    }
    const hooks = { SessionStart: [{ hooks: [wait] }] }
    const running = scripted.ask(talk.prompt, { hooks, ...options })
    return { talk, running, events: collect(running), reached: reached.promise }
  }

  it('ends them, and the session answers what waits', async () => {
    await using scripted = await Scripted.start([[text('Here.')]])
    const { talk, running, events, reached } = begin(scripted)
    await reached
    expect(running.interrupt()).toEqual({ still_queued: ['u-1'] })
    talk.end()
    expect(resultsOf(await events)).toMatchObject([{ subtype: 'success', result: 'Here.' }])
  })

  it('takes the prompt away when asked to, with a result that says so, and hears the next one', async () => {
    await using scripted = await Scripted.start([[text('Here.')]])
    const agents = { own: { description: 'd', prompt: 'p', initialPrompt: 'Of the agent' } }
    const { talk, running, events, reached } = begin(scripted, { agents, agent: 'own' })
    await reached
    expect(running.interrupt({ cancelQueued: true })).toMatchObject({ still_queued: [], cancelled: ['u-1'] })
    talk.say('Second')
    talk.end()
    expect(resultsOf(await events)).toMatchObject([
      {
        is_error: true,
        terminal_reason: 'aborted_streaming',
        errors: [expect.stringContaining('Interrupted')],
      },
      { subtype: 'success', result: 'Here.' },
    ])
    const told = JSON.stringify(scripted.server.requests.map(({ body }) => body.messages))
    expect(told).toContain('Second')
    expect(told).not.toMatch(/First|Of the hook|Of the agent/)
  })
})

describe('a message of priority now', () => {
  it('cancels only the calls that say cancel; the others end by themselves, then it is heard', async () => {
    await using scripted = await Scripted.start([[toolUse('Nap', {}), toolUse('Work', {})], [text('Yes?')]])
    const nap = createWaitTool('Nap', 'cancel')
    const work = createWaitTool('Work', 'block')
    const talk = createTalk()
    talk.say('Go')
    const running = scripted.ask(talk.prompt, { extraTools: [nap.tool, work.tool] })
    const events: SessionEvent[] = []
    for await (const event of running) {
      events.push(event)
      if (isStartOf(event, 'Work')) {
        talk.say({ type: 'user', message: { role: 'user', content: 'Listen' }, priority: 'now' })
        talk.end()
      }
      if (event.type === 'tool_progress' && event.phase === 'end' && event.tool_name === 'Nap') work.letEnd()
    }
    const [napResult, workResult] = toolResultsOf(events)
    expect(napResult?.is_error).toBe(true)
    expect(textOf(workResult)).toBe('Work ended by itself')
    const last = scripted.server.requests.at(-1)?.body.messages.at(-1)
    expect(JSON.stringify(last)).toMatch(/tool_result.*tool_result.*Listen/)
    expect(resultsOf(events)).toHaveLength(1)
  })
})

describe('close', () => {
  it('ends a session in the middle of everything and leaves no listener on the host', async () => {
    await using scripted = await Scripted.start([[toolUse('Bash', { command: 'sleep 300' }), silence()]])
    const host = new AbortController()
    const running = scripted.ask('Wait', { permissionMode: 'bypassPermissions', abortController: host })
    for await (const event of running) if (isStartOf(event, 'Bash')) break
    await running.close()
    expect(await running.next()).toEqual({ done: true, value: undefined })
    expect(getEventListeners(host.signal, 'abort')).toEqual([])
  })

  it('ends at once when the host has aborted before it began, though the prompt never ends', async () => {
    await using scripted = await Scripted.start([])
    const host = new AbortController()
    const running = scripted.ask(createTalk().prompt, { abortController: host })
    host.abort()
    expect((await collect(running)).map(({ type }) => type)).toEqual(['system'])
    expect(getEventListeners(host.signal, 'abort')).toEqual([])
  })

  it('ends when the host aborts, also while it waits for a message', async () => {
    await using scripted = await Scripted.start([[text('One.')]])
    const host = new AbortController()
    const talk = createTalk()
    talk.say('Hello')
    const events: SessionEvent[] = []
    for await (const event of scripted.ask(talk.prompt, { abortController: host })) {
      events.push(event)
      if (event.type === 'result') setImmediate(() => host.abort())
    }
    expect(resultsOf(events)).toHaveLength(1)
  })
})

describe('background commands', () => {
  it('are told of as records, their end reaches the model once, and they end with the session (cli.md 52)', async () => {
    await using scripted = await Scripted.start([
      [toolUse('Bash', { command: 'echo up; exit 3', run_in_background: true })],
      [toolUse('Bash', { command: 'sleep 0.3' })],
      [toolUse('Bash', { command: 'sleep 600', run_in_background: true })],
      [text('Started.')],
    ])
    const events = await collect(
      scripted.ask('Start it', { permissionMode: 'bypassPermissions', backgroundGraceMs: 50 }),
    )
    const systems = events.flatMap((event) => (event.type === 'system' ? [event.subtype] : []))
    expect(systems.filter((subtype) => subtype === 'task_started')).toHaveLength(2)
    expect(systems.filter((subtype) => subtype === 'task_notification')).toHaveLength(2)
    const sent = scripted.server.requests.map(({ body }) => JSON.stringify(body.messages.at(-1)))
    expect(sent.filter((request) => request.includes('<task-notification>'))).toHaveLength(1)
  })
})

describe('createControlRouter', () => {
  it.each([
    [{ subtype: 'initialize', hooks: null }, 'success'],
    [{ subtype: 'initialize', hooks: { PreToolUse: [] } }, 'error'],
    [{ subtype: 'interrupt' }, 'success'],
    [{ subtype: 'set_permission_mode', mode: 'plan' }, 'success'],
    [{ subtype: 'set_permission_mode', mode: 'yolo' }, 'error'],
    [{ subtype: 'set_model', model: 'opus' }, 'success'],
    [{ subtype: 'set_model', model: 7 }, 'error'],
    [{ subtype: 'stop_task', task_id: 'nope' }, 'error'],
    [{ subtype: 'mcp_status' }, 'success'],
    [{ subtype: 'constructor' }, 'error'],
    [{ subtype: 'time_travel' }, 'error'],
    [{}, 'error'],
    [null, 'error'],
  ])('answers %j with %s, and the session lives (cli.md 20)', async (request, outcome) => {
    await using scripted = await Scripted.start([[text('Alive.')]])
    const talk = createTalk()
    const running = scripted.ask(talk.prompt)
    const answer = await createControlRouter(running)({ type: 'control_request', request_id: 'r1', request })
    expect(answer).toMatchObject({
      type: 'control_response',
      response: { subtype: outcome, request_id: 'r1' },
    })
    talk.say('Hello')
    talk.end()
    expect(resultsOf(await collect(running))[0]?.result).toBe('Alive.')
  })
})
