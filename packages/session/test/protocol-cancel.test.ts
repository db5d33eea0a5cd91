import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionEvent } from '@x/contract'
import { silence, text, toolUse } from '@x/model-anthropic/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Query } from '../src/index.ts'
import type { QueryOptions } from '../src/session-options.ts'
import { collect, createTalk, resultsOf, Scripted, toolResultsOf } from './scripted.ts'
import { createTool, isBlockEnd, isPhase, refusals, sentCalls, sentResults } from './wire.ts'

const calls = [
  toolUse('Read', { file_path: 'a.txt' }),
  toolUse('Work', { command: 'sleep 300' }),
  toolUse('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }),
]

interface Cancelled {
  readonly scripted: Scripted
  readonly events: readonly SessionEvent[]
}

/** Lets the three calls begin, interrupts when `isMoment` says so or a tool does, and sends another message. */
async function interruptAt(
  scripted: Scripted,
  setUp: (interrupt: () => void) => QueryOptions,
  isMoment: (event: SessionEvent) => boolean = () => false,
): Promise<Cancelled> {
  const talk = createTalk()
  talk.say('Go')
  const options = setUp(() => void running.interrupt())
  const running: Query = scripted.ask(talk.prompt, { permissionMode: 'bypassPermissions', ...options })
  const events: SessionEvent[] = []
  for await (const event of running) {
    events.push(event)
    if (isMoment(event)) running.interrupt()
    if (event.type !== 'result') continue
    if (resultsOf(events).length === 1) talk.say('Go on')
    else talk.end()
  }
  return { scripted, events }
}

function expectAnswered({ scripted, events }: Cancelled): void {
  expect(refusals(scripted)).toEqual([])
  expect(resultsOf(events).map(({ terminal_reason: reason }) => reason)).toEqual([
    expect.stringMatching(/^aborted_/),
    'completed',
  ])
  expect(sentCalls(scripted, 1)).toHaveLength(3)
  expect(sentResults(scripted, 1).map(({ id }) => id)).toEqual(sentCalls(scripted, 1))
  expect(toolResultsOf(events).map(({ tool_use_id: id }) => id)).toEqual(sentCalls(scripted, 1))
  expect(scripted.read('a.txt')).toBe('one\n')
}

afterEach(() => void vi.useRealTimers())

describe('an interrupt answers every call once, in order, with an error that says so', () => {
  it('before any call has begun', async () => {
    await using scripted = await Scripted.start([[...calls, silence()], [text('Yes.')]], {
      'a.txt': 'one\n',
    })
    const cancelled = await interruptAt(
      scripted,
      () => ({
        engine: 'batch',
        includePartialMessages: true,
        extraTools: [createTool('Work', () => 'never')],
      }),
      (event) => isBlockEnd(event, 2),
    )
    expectAnswered(cancelled)
    const sent = sentResults(scripted, 1)
    expect(sent.map(({ isError }) => isError)).toEqual([true, true, true])
    for (const { text: answer } of sent) expect(answer).toContain('did not run')
  })

  it('while the second of three runs', async () => {
    await using scripted = await Scripted.start([calls, [text('Yes.')]], { 'a.txt': 'one\n' })
    const work = createTool('Work', (_, signal) => sleep(30_000, undefined, { signal }), {
      isConcurrencySafe: () => false,
    })
    const cancelled = await interruptAt(
      scripted,
      () => ({ extraTools: [work] }),
      (event) => isPhase(event, 'Work', 'start'),
    )
    expectAnswered(cancelled)
    const [read, ran, queued] = sentResults(scripted, 1)
    expect(read).toMatchObject({ isError: false, text: '1\tone' })
    expect(ran).toMatchObject({ isError: true, text: expect.stringContaining('was running') })
    expect(queued).toMatchObject({ isError: true, text: expect.stringContaining('did not run') })
  })

  it.each(['inside call', 'in the hook after it', 'at its end event'])(
    'in the tick in which the second ends, %s',
    async (place) => {
      await using scripted = await Scripted.start([calls, [text('Yes.')]], { 'a.txt': 'one\n' })
      const cancelled = await interruptAt(
        scripted,
        (interrupt) => ({
          extraTools: [
            createTool('Work', () => place === 'inside call' && interrupt(), {
              isConcurrencySafe: () => false,
            }),
          ],
          hooks: {
            PostToolUse: [
              {
                matcher: 'Work',
                hooks: [async () => void (place === 'in the hook after it' && interrupt())],
              },
            ],
          },
        }),
        (event) => place === 'at its end event' && isPhase(event, 'Work', 'end'),
      )
      expectAnswered(cancelled)
      expect(sentResults(scripted, 1)[2]).toMatchObject({ isError: true })
    },
  )
})

describe('an interrupt while the host is asked', () => {
  it('answers the call, and the next message is heard although the question is never answered', async () => {
    await using scripted = await Scripted.start([calls.slice(1), [toolUse('Work')], [text('Yes.')]], {
      'a.txt': 'one\n',
    })
    const talk = createTalk()
    talk.say('Go')
    let asked = 0
    const running: Query = scripted.ask(talk.prompt, {
      extraTools: [createTool('Work', () => 'worked', { isReadOnly: () => false })],
      canUseTool: async () => {
        asked += 1
        if (asked > 1) return { behavior: 'allow' }
        running.interrupt()
        talk.say('Go on')
        talk.end()
        return new Promise(() => {})
      },
    })
    // A call whose end is waited for has five seconds, which never pass here.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await collect(running)
    expect(refusals(scripted)).toEqual([])
    expect(sentResults(scripted, 1).map(({ id }) => id)).toEqual(sentCalls(scripted, 1))
    expect(sentResults(scripted, 1)[0]).toMatchObject({ isError: true })
    expect(sentResults(scripted, 2)).toMatchObject([{ text: 'worked' }])
  })
})

describe('a call that fails after it was answered, or twice, still has one result', () => {
  it.each([
    [
      'a tool whose output cannot be said',
      createTool('Odd', () => ({ toString: () => fail('mapping') })),
      {},
    ],
    [
      'a hook that throws after the call',
      createTool('Odd', () => 'fine'),
      { PostToolUse: [{ hooks: [() => fail('hook')] }] },
    ],
    [
      'a tool and a hook that both throw',
      createTool('Odd', () => fail('tool')),
      { PostToolUseFailure: [{ hooks: [() => fail('hook')] }] },
    ],
    [
      'a hook that throws before the call',
      createTool('Odd', () => 'fine'),
      { PreToolUse: [{ hooks: [() => fail('hook')] }] },
    ],
  ])('%s', async (_, tool, hooks) => {
    await using scripted = await Scripted.start([[toolUse('Odd')], [text('Well.')]])
    const events: SessionEvent[] = []
    for await (const event of scripted.ask('Go', { extraTools: [tool], hooks })) events.push(event)
    expect(refusals(scripted)).toEqual([])
    expect(sentResults(scripted, 1).map(({ id }) => id)).toEqual(sentCalls(scripted, 1))
    expect(toolResultsOf(events)).toHaveLength(1)
    expect(resultsOf(events)).toMatchObject([{ subtype: 'success', is_error: false }])
  })

  it('a tool that throws after the interrupt has answered it', async () => {
    await using scripted = await Scripted.start([calls, [text('Yes.')]], { 'a.txt': 'one\n' })
    const work = createTool(
      'Work',
      async (_, signal) => {
        await sleep(30_000, undefined, { signal }).catch(() => undefined)
        await sleep(20)
        throw new Error('too late')
      },
      { isConcurrencySafe: () => false },
    )
    const cancelled = await interruptAt(
      scripted,
      () => ({ extraTools: [work] }),
      (event) => isPhase(event, 'Work', 'start'),
    )
    expectAnswered(cancelled)
    expect(JSON.stringify(scripted.server.requests[1]?.body)).not.toContain('too late')
  })
})

function fail(what: string): never {
  throw new Error(`the ${what} failed`)
}
