import { AbortReason } from '@x/abort'
import { type AssistantMessage, checkHistory, type Message, repairHistory } from '@x/contract'
import { describe, expect, test } from 'vitest'
import { type ExecutorEvent, formatDebugRecord, type ToolResultEvent } from '../src/index.ts'
import { makeTool, safe, slowTool, stage, textOf, use } from './harness.ts'

/** The request that follows: the calls, their results, and a word of the user. */
function nextRequest(calls: AssistantMessage, answers: readonly ToolResultEvent[]): Message[] {
  return [
    { role: 'user', content: 'go' },
    calls,
    { role: 'user', content: [...answers.map(({ result }) => result), { type: 'text', text: 'and now?' }] },
  ]
}

describe('EX-01: an interruption while tools run leaves exactly one result per call, in order', () => {
  test.each([
    ['before any starts', -1],
    ['while the second runs', 20],
    ['in the moment in which the second ends', 30],
  ])('%s', async (_title, abortMs) => {
    const { add, play, at, options } = stage((clock, log) => [
      slowTool('Read', { clock, log }, safe),
      slowTool('Bash', { clock, log }, { isConcurrencySafe: () => true }),
      slowTool('Edit', { clock, log }),
    ])
    const blocks = [use('Read', { ms: 5 }), use('Bash', { ms: 30 }), use('Edit', {})]
    const abort = (): void => options.query.abort(new AbortReason('user-cancel'))
    if (abortMs < 0) abort()
    else at(abortMs, abort)
    add(...blocks)
    const answers = await play()
    const request = nextRequest({ role: 'assistant', content: blocks }, answers)
    expect(checkHistory(request)).toEqual([])
    expect(repairHistory(request).repaired).toEqual([])
    expect(answers.at(-1)).toMatchObject({ cause: 'user-cancelled', result: { is_error: true } })
  })
})

test('EX-12: results come back in the order of the calls; the writing call starts after the four', async () => {
  const { add, play, log, events } = stage((clock, log) => [
    slowTool('Read', { clock, log }, safe),
    slowTool('Write', { clock, log }),
  ])
  const ms = [400, 100, 300, 200]
  const reads = ms.map((ms) => use('Read', { name: `${ms}`, ms }, `r${ms}`))
  add(...reads.slice(0, 2), use('Nope', {}, 'n'), ...reads.slice(2), use('Write', { name: 'w' }, 'w'))
  const answers = await play()
  expect(answers.map(({ toolUseId }) => toolUseId)).toEqual(['r400', 'r100', 'n', 'r300', 'r200', 'w'])
  expect(answers.every(({ toolUseId, result }) => result.tool_use_id === toolUseId)).toBe(true)
  expect(log.slice(-2)).toEqual(['400 w enters', '400 w ends'])
  expect(events.filter(({ type }) => type === 'tool-end').map(({ toolUseId }) => toolUseId)).toEqual([
    'r100',
    'r200',
    'r300',
    'r400',
    'w',
  ])
})

describe('EX-11 and the exercises: who takes whom along, with a cap of two', () => {
  const tools = (fails: string) => (clock: Parameters<Parameters<typeof stage>[0]>[0], log: string[]) => [
    slowTool('Read', { clock, log }, { ...safe, fails: fails === 'Read' }),
    slowTool('Bash', { clock, log }, { fails: fails === 'Bash', failureCancelsSiblings: () => true }),
  ]

  test('a failing command cancels its sibling', async () => {
    const { add, play } = stage(tools('Bash'), { maxConcurrency: 2 })
    add(use('Bash', { name: 'false', ms: 5 }), use('Bash', { name: 'true' }))
    expect((await play()).map(({ cause }) => cause)).toEqual(['ran', 'sibling-failed'])
  })

  test('a failing read does not', async () => {
    const { add, play } = stage(tools('Read'), { maxConcurrency: 2 })
    add(use('Read', { ms: 5 }), use('Read', { ms: 50 }), use('Bash', { name: 'true' }))
    expect((await play()).map(({ cause }) => cause)).toEqual(['ran', 'ran', 'ran'])
  })

  test('parallel calls can be watched in the debug log', async () => {
    const lines: string[] = []
    const { add, play } = stage(tools('none'), {
      maxConcurrency: 2,
      debug: (record) => record.state === 'executing' && lines.push(formatDebugRecord(record)),
    })
    add(use('Read', { ms: 5 }, 'a'), use('Read', { ms: 9 }, 'b'), use('Read', { ms: 5 }, 'c'))
    await play()
    expect(lines).toEqual([
      'Read a executing (safe)',
      'Read b executing (safe) beside a',
      'Read c executing (safe) beside b',
    ])
  })
})

describe('EX-03: one result per id', () => {
  test('a tool that reports its result as progress and then throws', async () => {
    const { add, play } = stage(() => [
      makeTool('Odd', {
        call: (_input, _context, { onProgress }) => {
          onProgress({ type: 'tool_result', content: 'x' })
          throw new Error('after all')
        },
      }),
    ])
    add(use('Odd'))
    expect((await play()).map(textOf)).toEqual(['after all'])
  })

  test('an abort and a late throw', async () => {
    const { add, play, at, options } = stage((clock, log) => [
      slowTool('Bash', { clock, log }, { obeys: false, fails: true }),
    ])
    add(use('Bash', { ms: 20 }))
    at(10, () => options.query.abort())
    expect(await play()).toHaveLength(1)
  })
})

test('a discard during whose reports a call aborts itself leaves the query alone', async () => {
  const controllers: AbortController[] = []
  const { add, executor, options, play } = stage(
    () => [
      makeTool('Stuck', {
        ...safe,
        call: (_input, { abortController }) => {
          controllers.push(abortController)
          return new Promise(() => undefined)
        },
      }),
    ],
    {
      debug: ({ state }) => state === 'completed' && controllers.forEach((controller) => controller.abort()),
    },
  )
  add(use('Stuck'), use('Stuck'))
  await new Promise((resolve) => setImmediate(resolve))
  const rest: readonly ExecutorEvent[] = executor.discard()
  expect(rest).toHaveLength(2)
  expect(options.query.signal.aborted).toBe(false)
  await play()
})
