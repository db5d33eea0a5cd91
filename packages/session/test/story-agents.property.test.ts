import { getEventListeners } from 'node:events'
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isContinuation, type Message, type SessionEvent } from '@x/contract'
import {
  cut,
  type RecordedRequest,
  type Reply,
  startScriptedServer,
  status,
  stop,
  text,
  toolUse,
} from '@x/model-anthropic/testing'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Query, QueryOptions, SessionHookCallback } from '../src/index.ts'
import { agent } from './places.ts'
import { createTalk, resultsOf, Scripted, type Talk } from './scripted.ts'
import { createTool, refusals } from './wire.ts'

const runs = 25

const work = fc.oneof(
  { weight: 3, arbitrary: fc.constant(text('Looking around.')) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('a.txt', 'gone.txt').map((name) => toolUse('Read', { file_path: name })),
  },
  { weight: 3, arbitrary: fc.nat(9).map((ms) => toolUse('Mark', { ms })) },
  { weight: 1, arbitrary: fc.constant(toolUse('SendMessage', { to: 'helper', message: 'TASK more' })) },
  { weight: 1, arbitrary: fc.constant(toolUse('SendMessage', { to: 'main', message: 'listen' })) },
)

const start = fc
  .record({
    run_in_background: fc.boolean(),
    name: fc.constantFrom('helper', undefined),
    subagent_type: fc.constantFrom('general-purpose', 'general-purpose', 'Explore', 'nobody'),
  })
  .map(({ name, ...more }) => agent('TASK one', { ...more, ...(name !== undefined && { name }) }))

const end = fc.oneof(
  { weight: 8, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.constantFrom([cut()], [stop('max_tokens')]) },
)

function reply(step: fc.Arbitrary<ReturnType<typeof text>>): fc.Arbitrary<Reply> {
  const message = fc.tuple(fc.array(step, { maxLength: 4 }), end).map(([steps, last]) => [...steps, ...last])
  return fc.oneof(
    { weight: 9, arbitrary: message },
    { weight: 1, arbitrary: fc.constantFrom(429, 500, 401).map((code) => status(code)) },
  )
}

/** What a hook does, each time. */
const hook = fc.constantFrom('nothing', 'nothing', 'throws', 'hangs', 'blocks', 'adds')

const events = [
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'PreCompact',
] as const

/** What the user does, before the event of this number. */
const deed = fc.record({
  at: fc.nat(30),
  kind: fc.constantFrom('interrupt', 'now', 'close', 'abort', 'mode'),
})

const part = fc.record({
  prompts: fc.array(fc.constantFrom('GO', 'GO', 'GO', '/compact'), { minLength: 1, maxLength: 3 }),
  deeds: fc.array(deed, { maxLength: 2 }),
})

const story = fc.record({
  main: fc.array(reply(fc.oneof({ weight: 2, arbitrary: work }, { weight: 2, arbitrary: start })), {
    maxLength: 8,
  }),
  agents: fc.array(reply(work), { maxLength: 8 }),
  parts: fc.array(part, { minLength: 1, maxLength: 3 }),
  hooks: fc.record(Object.fromEntries(events.map((event) => [event, hook]))),
  isSmall: fc.boolean(),
})

type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never

/** What happens in one process. */
interface Part {
  readonly prompts: readonly string[]
  readonly deeds: Story['parts'][number]['deeds']
}

/** One process of the session. */
interface Told {
  readonly events: readonly SessionEvent[]
  readonly requests: readonly RecordedRequest[]
  readonly isCut: boolean
}

describe('any story of a session with agents, over several processes', () => {
  it('keeps to the rules of the service, numbers on, goes on from what was sent, tells each end once and leaves nothing', async () => {
    await fc.assert(fc.asyncProperty(story, tell), { numRuns: runs })
  })
})

async function tell(tale: Story): Promise<void> {
  const replies = { main: [...tale.main], agents: [...tale.agents] }
  const server = await startScriptedServer({
    respond: (request) => (isOfAgent(request) ? replies.agents : replies.main).shift() ?? text('Done.'),
  })
  await using scripted = new Scripted(server, { 'a.txt': 'one\n' })
  const told: Told[] = []
  const parts: readonly Part[] = [...tale.parts, { prompts: ['BYE'], deeds: [] }]
  for (const one of parts) {
    const first = told.flatMap(({ events: [event] }) => event ?? [])[0]
    const resume = first === undefined ? {} : { resume: first.session_id }
    const from = server.requests.length
    const isLast = one.prompts[0] === 'BYE'
    const played = await play(scripted, one, { ...optionsOf(tale, scripted, isLast), ...resume })
    told.push({ ...played, requests: server.requests.slice(from).filter((request) => !isOfAgent(request)) })
  }
  expect(refusals(scripted)).toEqual([])
  expectNumbers(told)
  expectContinuations(told)
  expectNotices(told)
  const left = readdirSync(scripted.cwd, { recursive: true, encoding: 'utf8' })
  expect(left.filter((name) => name.endsWith('.lock'))).toEqual([])
}

function isOfAgent({ body: { messages } }: RecordedRequest): boolean {
  return JSON.stringify(messages[0]?.content).includes('TASK')
}

function optionsOf({ hooks, isSmall }: Story, scripted: Scripted, isLast: boolean): QueryOptions {
  const mark = createTool('Mark', ({ ms }, signal) => sleep(Number(ms), 'marked', { signal }), {
    isConcurrencySafe: () => false,
    isReadOnly: () => false,
  })
  const chosen = Object.entries(isLast ? {} : hooks).filter(([, kind]) => kind !== 'nothing')
  return {
    extraTools: [mark],
    permissionMode: 'bypassPermissions',
    env: {
      ...scripted.env,
      CLAUDE_CODE_MAX_RETRIES: '0',
      CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '2',
      ...(isSmall && { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '3' }),
    },
    hooks: Object.fromEntries(
      chosen.map(([event, kind]) => [event, [{ hooks: [toHook(kind)], timeout: 0.05 }]]),
    ),
  }
}

function toHook(kind: string): SessionHookCallback {
  return (_input, _id, { signal }) => {
    if (kind === 'throws') throw new Error('boom')
    if (kind === 'hangs') return sleep(60_000, undefined, { signal })
    return Promise.resolve(
      kind === 'blocks' ? { decision: 'block', reason: 'no' } : { additionalContext: 'more \ud83d' },
    )
  }
}

/** Plays a part, to its end or until it is cut. Nothing of it stays on the signal of its host. */
async function play(
  scripted: Scripted,
  { prompts, deeds }: Part,
  options: QueryOptions,
): Promise<Omit<Told, 'requests'>> {
  const host = new AbortController()
  const talk = createTalk()
  const waiting = [...prompts]
  talk.say(waiting.shift() ?? '')
  const running = scripted.ask(talk.prompt, { ...options, abortController: host })
  const told: SessionEvent[] = []
  for await (const event of running) {
    told.push(event)
    for (const { kind } of deeds.filter(({ at }) => at === told.length))
      await act[kind]({ running, talk, host })
    const next = event.type === 'result' ? waiting.shift() : undefined
    if (next !== undefined) talk.say(next)
    else if (event.type === 'result') talk.end()
  }
  expect(getEventListeners(host.signal, 'abort')).toEqual([])
  const isCut = deeds.some(({ at, kind }) => at <= told.length && ['close', 'abort'].includes(kind))
  expect(isCut || resultsOf(told).length > 0).toBe(true)
  return { events: told, isCut }
}

interface Stage {
  readonly running: Query
  readonly talk: Talk
  readonly host: AbortController
}

const act: Readonly<Record<Part['deeds'][number]['kind'], (stage: Stage) => unknown>> = {
  interrupt: ({ running }) => running.interrupt(),
  mode: ({ running }) => running.setPermissionMode('plan'),
  now: ({ talk }) =>
    talk.say({ type: 'user', message: { role: 'user', content: 'Listen' }, priority: 'now' }),
  close: ({ running }) => running.close(),
  abort: ({ host }) => host.abort(),
}

/** Numbers go on without a gap; what a session that was cut still had to tell has its numbers too. */
function expectNumbers(told: readonly Told[]): void {
  let next = 0
  let isCut = false
  for (const one of told) {
    const numbers = one.events.map(({ sequence }) => sequence)
    const [first = next] = numbers
    expect(numbers).toEqual(numbers.map((_, index) => first + index))
    if (isCut) expect(first).toBeGreaterThanOrEqual(next)
    else expect(first).toBe(next)
    next = first + numbers.length
    ;({ isCut } = one)
  }
}

/** The first request of a process holds what the last one of the process before held. */
function expectContinuations(told: readonly Told[]): void {
  const kept = told.filter(({ requests }) => requests.length > 0)
  for (const [index, one] of kept.entries()) {
    const before = kept[index - 1]
    const last = before?.requests.at(-1)
    const first = one.requests[0]
    if (last === undefined || first === undefined || isCompacted(before) || isCompacted(one)) continue
    const [sent, resumed] = [last, first].map(({ body }) => withoutMarkers(body.messages))
    expect(isContinuation(sent ?? [], resumed ?? [])).toBe(true)
  }
}

function isCompacted(told: Told | undefined): boolean {
  const isAsked = told?.requests.some(({ text: body }) => body.includes('summary')) === true
  return (
    isAsked ||
    told?.events.some((event) => event.type === 'system' && event.subtype === 'compact_boundary') === true
  )
}

/** Each notice stands once in what the model is told, and each agent that was started in the background has one. */
function expectNotices(told: readonly Told[]): void {
  const final = JSON.stringify(told.at(-1)?.requests.at(-1)?.body.messages ?? [])
  const notices = [...final.matchAll(/<notice-id>([\w-]+)/g)].map(([, id]) => id)
  expect(notices).toEqual([...new Set(notices)])
  if (told.some(isCompacted)) return
  for (const [, id = ''] of final.matchAll(/runs in the background\.\\nagentId: (\w+)/g))
    expect([
      id,
      final.split(`agentId: ${id})`).length - 1 + final.split(`to: ${id} lets it go on`).length - 1,
    ]).not.toEqual([id, 0])
}

function withoutMarkers(messages: readonly object[]): Message[] {
  return JSON.parse(
    JSON.stringify(messages, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
  )
}
