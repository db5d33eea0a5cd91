import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionEvent } from '@x/contract'
import {
  cut,
  error,
  type Reply,
  startScriptedServer,
  status,
  stop,
  text,
  thinking,
  toolUse,
} from '@x/model-anthropic/testing'
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  nat,
  oneof,
  record,
  tuple,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTalk, resultsOf, Scripted, type Talk, textOf, toolResultsOf } from './scripted.ts'
import { createTool, refusals } from './wire.ts'

const runs = 60

/** What the model does, in one message. */
const step = oneof(
  { weight: 2, arbitrary: constant(text('Looking around.')) },
  { weight: 1, arbitrary: constant(thinking('Hm.')) },
  {
    weight: 3,
    arbitrary: constantFrom('a.txt', 'gone.txt').map((file) => toolUse('Read', { file_path: file })),
  },
  { weight: 1, arbitrary: constant(toolUse('Grep', { pattern: 'one' })) },
  {
    weight: 1,
    arbitrary: constantFrom('true', 'exit 3', 'sleep 0.3').map((command) => toolUse('Bash', { command })),
  },
  { weight: 4, arbitrary: nat(9).map((number) => toolUse('Mark', { number, ms: number * 3 })) },
  { weight: 1, arbitrary: constant(toolUse('Nap', {})) },
  { weight: 1, arbitrary: constantFrom('Nope', '', 'Re ad').map((name) => toolUse(name, { a: 1 })) },
  {
    weight: 1,
    arbitrary: constantFrom('x', '').map((id) => toolUse('Read', { file_path: 'a.txt' }, { id })),
  },
  { weight: 1, arbitrary: constant(toolUse('Read', {}, { json: '{"file_path":"a.t' })) },
  {
    weight: 1,
    arbitrary: constant(toolUse('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'one!' })),
  },
)

/** How it ends. */
const end = oneof(
  { weight: 6, arbitrary: constant([]) },
  {
    weight: 4,
    arbitrary: constantFrom(
      [cut()],
      [error()],
      [stop('max_tokens')],
      [stop('refusal')],
      [toolUse('Mark', {}, { json: '{"number":', isOpen: true }), cut()],
      [toolUse('Mark', {}, { json: '{"number":', isOpen: true }), stop('max_tokens')],
    ),
  },
)

const reply: Arbitrary<Reply> = oneof(
  {
    weight: 9,
    arbitrary: tuple(array(step, { maxLength: 5 }), end).map(([steps, last]) => [...steps, ...last]),
  },
  { weight: 1, arbitrary: constantFrom(429, 500, 529, 401).map((code) => status(code)) },
)

/** What the user does, before the event of this number. */
const deed = record({ at: nat(25), kind: constantFrom('interrupt', 'now', 'next', 'close', 'mode') })

const story = record({
  replies: array(reply, { minLength: 1, maxLength: 5 }),
  deeds: array(deed, { maxLength: 3 }),
  engine: constantFrom('streaming', 'batch'),
  eventDelayMs: constantFrom(0, 1),
})

type Story = typeof story extends Arbitrary<infer Value> ? Value : never

interface Told {
  readonly scripted: Scripted
  readonly events: readonly SessionEvent[]
  readonly isClosed: boolean
}

/** Plays a story, to its end or until it is closed. */
async function tell(scripted: Scripted, { deeds, engine }: Story): Promise<Told> {
  const talk = createTalk()
  talk.say('Go')
  const running = scripted.ask(talk.prompt, {
    engine,
    extraTools: createTools(scripted),
    permissionMode: 'bypassPermissions',
    fallbackModel: 'haiku',
    backgroundGraceMs: 0,
    env: { ...scripted.env, HOME: scripted.cwd, CLAUDE_CODE_MAX_RETRIES: '0' },
  })
  const events: SessionEvent[] = []
  let isClosed = false
  for await (const event of running) {
    events.push(event)
    for (const { kind } of deeds.filter(({ at }) => at === events.length)) {
      if (kind === 'interrupt') running.interrupt()
      else if (kind === 'mode') running.setPermissionMode('plan')
      else if (kind !== 'close') say(talk, kind)
      else {
        await running.close()
        isClosed = true
      }
    }
    if (event.type === 'result') talk.end()
  }
  return { scripted, events, isClosed }
}

function say(talk: Talk, kind: string): void {
  talk.say({
    type: 'user',
    message: { role: 'user', content: `Listen: ${kind}` },
    priority: kind === 'now' ? 'now' : 'next',
  })
}

/** One that leaves a trace in a file, and one that waits until it is interrupted. */
function createTools(scripted: Scripted) {
  const mark = createTool(
    'Mark',
    async ({ number, ms }, signal) => {
      await sleep(Number(ms), undefined, { signal })
      appendFileSync(scripted.path('marks.txt'), `${String(number)}\n`)
      return `marked ${String(number)}`
    },
    { isConcurrencySafe: () => false, isReadOnly: () => false },
  )
  const nap = createTool('Nap', (_, signal) => sleep(200, 'slept', { signal }), {
    interruptBehavior: () => 'cancel',
  })
  return [mark, nap]
}

describe('any story of a session', () => {
  it("keeps to the service's rules, ends, answers every call once, and changes only what its answers say", async () => {
    await assert(
      asyncProperty(story, async (tale) => {
        const server = await startScriptedServer({
          script: tale.replies,
          respond: () => text('Done.'),
          eventDelayMs: tale.eventDelayMs,
        })
        await using scripted = new Scripted(server, { 'a.txt': 'one\n' })
        const told = await tell(scripted, tale)
        expect(refusals(scripted)).toEqual([])
        expectEnd(told)
        expectPairs(told)
        expectTrueAnswers(told)
      }),
      { numRuns: runs },
    )
  })
})

function expectEnd({ events, isClosed }: Told): void {
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index))
  if (isClosed) return
  expect(events.at(-1)?.type).toBe('result')
  expect(resultsOf(events).length).toBeGreaterThan(0)
}

/** Every call that was shown and not withdrawn has one result; so has every call that a request holds (the server looks). */
function expectPairs({ events, isClosed }: Told): void {
  const shown = new Map<string, string>()
  let answered: string[] = []
  for (const event of events) {
    if (event.type === 'assistant')
      for (const id of callsOf(event.message.content)) shown.set(id, event.message.id ?? '')
    const withdrawn = event.type === 'system' ? event['message_id'] : undefined
    for (const [id, message] of shown) if (message === withdrawn) shown.delete(id)
    // A withdrawn call may have been answered before, and its id may come back.
    if (withdrawn !== undefined) answered = answered.filter((id) => shown.has(id))
    answered.push(...toolResultsOf([event]).map(({ tool_use_id: id }) => id))
  }
  const counts = [...shown.keys()].map((id) => answered.filter((one) => one === id).length)
  expect(counts.filter((count) => count > 1)).toEqual([])
  if (!isClosed) expect(counts.filter((count) => count === 0)).toEqual([])
}

function callsOf(content: string | readonly object[]): readonly string[] {
  if (typeof content === 'string') return []
  return content
    .map((block) => ({ type: '', id: '', ...block }))
    .flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []))
}

/** A file has what the answers say, and beyond that at most what calls did that were cancelled while they ran. */
function expectTrueAnswers({ scripted, events, isClosed }: Told): void {
  if (isClosed) return
  const texts = toolResultsOf(events).map((result) => textOf(result))
  const maybe = texts.filter((answer) => answer.includes('may have had effects')).length
  const marks = (scripted.read('marks.txt') ?? '').split('\n').filter((line) => line !== '')
  const told = texts.filter((answer) => answer.startsWith('marked ')).map((answer) => answer.slice(7))
  expect(without(told, marks)).toEqual([])
  expect(without(marks, told).length).toBeLessThanOrEqual(maybe)
  const edits = (scripted.read('a.txt') ?? '').split('!').length - 1
  const saidEdits = texts.filter((answer) => answer.includes('a.txt') && answer.includes('updated')).length
  expect(edits).toBeGreaterThanOrEqual(saidEdits)
  expect(edits - saidEdits).toBeLessThanOrEqual(maybe)
}

/** What is left of a list when each item of another was taken away once. */
function without(items: readonly string[], taken: readonly string[]): readonly string[] {
  const rest = [...taken]
  return items.filter((item) => {
    const index = rest.indexOf(item)
    if (index >= 0) rest.splice(index, 1)
    return index < 0
  })
}
