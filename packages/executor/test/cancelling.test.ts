import { AbortReason } from '@x/abort'
import { describe, expect, test } from 'vitest'
import type { ExecutorOptions } from '../src/index.ts'
import { makeTool, safe, slowTool, stage, textOf, use, whenAborted } from './harness.ts'

const shell = { failureCancelsSiblings: () => true }
const silent = { context: [], notices: [] }

describe('a failing sibling', () => {
  function shellStage(parts: Partial<ExecutorOptions> = {}): ReturnType<typeof stage> {
    return stage(
      (clock, log) => [slowTool('Read', { clock, log }, safe), slowTool('Bash', { clock, log }, shell)],
      parts,
    )
  }

  test('takes queued and later calls with effects along, never a read; it keeps its own error', async () => {
    const { add, play, log, at } = shellStage()
    add(
      use('Bash', { name: 'mkdir x', ms: 20, fails: true }),
      use('Bash', { name: 'cp' }),
      use('Read', { name: 'file', ms: 5 }),
    )
    at(90, () => add(use('Bash', { name: 'cp2' })))
    const answers = await play()
    expect(log).toEqual(['0 mkdir x enters', '20 mkdir x ends', '20 file enters', '25 file ends'])
    const cancelled = '<tool_use_error>Cancelled: parallel tool call Bash(mkdir x) errored</tool_use_error>'
    expect(answers.map(textOf)).toEqual(['mkdir x failed', cancelled, 'file done', cancelled])
    expect(answers.map(({ cause }) => cause)).toEqual(['ran', 'sibling-failed', 'ran', 'sibling-failed'])
    expect(answers.map(({ result }) => result.is_error)).toEqual([true, true, undefined, true])
  })

  test('takes everybody along with the policy all, nobody with none', async () => {
    for (const [siblingPolicy, cause] of [
      ['all', 'sibling-failed'],
      ['none', 'ran'],
    ] as const) {
      const { add, play } = shellStage({ siblingPolicy })
      add(use('Bash', { name: 'x', fails: true }), use('Read', { name: 'a' }), use('Bash', { name: 'y' }))
      const answers = await play()
      expect(answers.map((answer) => answer.cause)).toEqual(['ran', cause, cause])
    }
  })

  test('reaches a running sibling through its signal and leaves the query alone', async () => {
    let heard: unknown
    const { add, play, options } = stage((clock, log) => [
      slowTool('Run', { clock, log }, { isConcurrencySafe: () => true, ...shell }),
      makeTool('Watch', {
        isConcurrencySafe: () => true,
        call: async (_input, { abortController: { signal } }) => {
          await whenAborted(signal)
          heard = signal.reason
          return { data: 'too late' }
        },
      }),
    ])
    add(use('Run', { name: 'a', ms: 10, fails: true }, 'first'), use('Watch'))
    const answers = await play()
    expect(answers.map(({ cause }) => cause)).toEqual(['ran', 'sibling-failed'])
    expect(heard).toMatchObject({ kind: 'sibling-failed', facts: { toolUseId: 'first', toolName: 'Run' } })
    expect(options.query.signal.aborted).toBe(false)
  })

  test('is not a read, and not one whose input did not parse, and not an unknown name', async () => {
    const { add, play } = stage((clock, log) => [
      slowTool('Read', { clock, log }, safe),
      slowTool('Bash', { clock, log }, { ...shell, validateInput: undefined as never }),
    ])
    add(use('Read', { name: 'r', fails: true }), use('Nope'), use('Bash', { name: 'b' }))
    const answers = await play()
    expect(answers.map(({ cause }) => cause)).toEqual(['ran', 'unknown-tool', 'ran'])
  })

  test('may also be one that was denied, by a rule or by a hook', async () => {
    const reason = { type: 'rule' as const, detail: 'no' }
    for (const parts of [
      { authorize: async () => ({ behavior: 'deny' as const, message: 'No.', reason }) },
      {
        hooks: {
          preToolUse: async () => ({ ...silent, verdict: { behavior: 'deny' as const, reason: 'No.' } }),
          postToolUse: async () => silent,
          postToolUseFailure: async () => silent,
        },
      },
    ]) {
      const { add, play } = shellStage(parts)
      add(use('Bash', { name: 'a' }), use('Bash', { name: 'b' }))
      const answers = await play()
      expect(answers.map(({ cause }) => cause)).toEqual(['denied', 'sibling-failed'])
      expect(answers[0]?.denial).toEqual({
        toolName: 'Bash',
        input: { name: 'a' },
        message: 'No.',
        reason: { type: expect.stringMatching(/^(rule|hook)$/), detail: expect.stringMatching(/./) },
      })
    }
  })

  test('cancels before the failure hooks run, and those keep a live signal', async () => {
    const seen: unknown[] = []
    const { add, play, log, clock } = stage((clock, log) => [slowTool('Bash', { clock, log }, shell)], {
      debug: ({ toolUseId, state, detail }) => state === 'completed' && log.push(`${toolUseId} ${detail}`),
      hooks: {
        preToolUse: async () => silent,
        postToolUse: async () => silent,
        postToolUseFailure: async ({ error, isInterrupt, signal, toolUseId }) => {
          log.push(`hook of ${toolUseId}`)
          seen.push({ error, isInterrupt })
          await clock.sleep(30)
          seen.push(signal.aborted)
          return { ...silent, context: ['try again'] }
        },
      },
    })
    add(use('Bash', { name: 'x', ms: 10, fails: true }, 'x'), use('Bash', { name: 'y' }, 'y'))
    const answers = await play()
    expect(log).toEqual(['0 x enters', '10 x ends', 'y sibling-failed', 'hook of x', 'x ran'])
    expect(seen).toEqual([{ error: 'x failed', isInterrupt: false }, false])
    expect(JSON.stringify(answers[0]?.attached)).toContain('try again')
  })

  test('is told without a name where nothing describes it', async () => {
    const { add, play } = shellStage()
    add(use('Bash', { fails: true }), use('Bash', {}))
    const answers = await play()
    expect(textOf(answers[1])).toBe(
      '<tool_use_error>Cancelled: parallel tool call Bash({"fails":true}) errored</tool_use_error>',
    )
  })
})

describe('an aborted query', () => {
  test('answers a running call that ignores its signal at once', async () => {
    const { add, play, at, events, options, log, clock, executor } = stage((clock, log) => [
      slowTool('Bash', { clock, log }, { obeys: false }),
      slowTool('Edit', { clock, log }),
    ])
    let settledMs = 0
    add(use('Bash', { name: 'sleep', ms: 60_000 }), use('Edit', { name: 'b' }))
    at(100, () => options.query.abort(new AbortReason('user-cancel')))
    void executor.settled.then(() => (settledMs = clock.now()))
    const answers = await play()
    expect(answers.map(({ cause }) => cause)).toEqual(['user-cancelled', 'user-cancelled'])
    expect(textOf(answers[0])).toContain('The user does not want to proceed')
    expect(textOf(answers[0])).toContain('rejected')
    expect(textOf(answers[1])).toContain('It did not run.')
    expect(log).toEqual(['0 sleep enters', '60000 sleep ends'])
    expect(settledMs).toBe(5_100)
    expect(events.at(-1)).toBe(answers[1])
  })

  test('closes an open prompt, and a click that comes later changes nothing', async () => {
    const click = Promise.withResolvers<void>()
    let prompt: AbortSignal | undefined
    const { add, play, at, options, log } = stage((clock, log) => [slowTool('Edit', { clock, log })], {
      authorize: async ({ signal }) => {
        prompt = signal
        await click.promise
        return { behavior: 'allow', reason: { type: 'user', detail: 'yes' } }
      },
    })
    add(use('Edit'))
    at(400, () => options.query.abort(new AbortReason('user-cancel')))
    at(401, () => click.resolve())
    const answers = await play()
    expect(prompt?.aborted).toBe(true)
    expect(answers.map(({ cause }) => cause)).toEqual(['user-cancelled'])
    expect(log).toEqual([])
  })

  test.each([
    [new AbortReason('user-cancel'), 'user-cancelled'],
    [new AbortReason('user-interrupt'), 'user-cancelled'],
    [new AbortReason('permission-rejected'), 'permission-rejected'],
    [new AbortReason('host-stopped'), 'host-stopped'],
    [new AbortReason('timeout'), 'host-stopped'],
    [undefined, 'host-stopped'],
  ])('says why: %s', async (reason, cause) => {
    const { add, play, at, options } = stage((clock, log) => [slowTool('Edit', { clock, log })])
    add(use('Edit', { ms: 10 }))
    at(5, () => options.query.abort(reason))
    expect((await play()).map((answer) => answer.cause)).toEqual([cause])
  })

  test('answers what still arrives, and adds the hint to remember a correction', async () => {
    const { add, play, options } = stage((clock, log) => [slowTool('Edit', { clock, log })], {
      rejectionHint: 'Remember what the user corrects.',
    })
    options.query.abort(new AbortReason('user-cancel'))
    add(use('Edit'), use('Nope'))
    const answers = await play()
    expect(answers.map(({ cause }) => cause)).toEqual(['user-cancelled', 'unknown-tool'])
    expect(textOf(answers[0])).toMatch(/Remember what the user corrects\.$/)
  })

  test('keeps the real answer of a call that is done, or says that it is withheld', async () => {
    const { add, play, at, options, clock } = stage(
      () => [
        makeTool('Read', { ...safe, maxResultSizeChars: 10, call: () => ({ data: 'secret '.repeat(9) }) }),
      ],
      {
        storeResult: async (id) => {
          await clock.sleep(id === 'stored' ? 50 : 0)
          return { path: '/x' }
        },
        hooks: {
          preToolUse: async () => silent,
          postToolUse: async ({ toolUseId }) => {
            await clock.sleep(toolUseId === 'judged' ? 50 : 0)
            return silent
          },
          postToolUseFailure: async () => silent,
        },
      },
    )
    add(use('Read', {}, 'judged'), use('Read', {}, 'stored'))
    at(20, () => options.query.abort(new AbortReason('user-cancel')))
    const [judged, stored] = await play()
    expect(textOf(judged)).toBe(
      'The call completed. Its output is withheld because the hooks that judge it were interrupted.',
    )
    expect(judged?.output).toBe(undefined)
    expect(textOf(stored)).toMatch(/^secret sec\n/)
    expect(stored?.result.is_error).toBe(undefined)
  })

  test('a call that throws after its abort is a cancelled call: no failure hooks, nothing after the answer', async () => {
    const late: unknown[] = []
    const details: unknown[] = []
    const { add, play, at, options } = stage(
      () => [
        makeTool('Bash', {
          ...shell,
          call: async (_input, { abortController: { signal } }, { onProgress }) => {
            await whenAborted(signal)
            onProgress('late')
            throw new Error('killed')
          },
        }),
      ],
      {
        debug: ({ state, detail }) => state === 'ended' && details.push(detail),
        hooks: {
          preToolUse: async () => silent,
          postToolUse: async () => silent,
          postToolUseFailure: async () => {
            late.push('hook')
            return silent
          },
        },
      },
    )
    add(use('Bash'))
    at(5, () => options.query.abort(new AbortReason('user-cancel')))
    const answers = await play()
    expect(answers).toHaveLength(1)
    expect(late).toEqual([])
    expect(details).toEqual(['threw: killed'])
  })
})

describe("a call's own controller", () => {
  test('aborted from outside it ends the query with that reason', async () => {
    const reason = new AbortReason('permission-rejected')
    const { add, play, options } = stage(() => [
      makeTool('Exit', {
        call: async (_input, { abortController }) => {
          abortController.abort(reason)
          return { data: 'x' }
        },
      }),
      makeTool('Edit'),
    ])
    add(use('Exit'), use('Edit'))
    const answers = await play()
    expect(options.query.signal.reason).toBe(reason)
    expect(answers.map(({ cause }) => cause)).toEqual(['permission-rejected', 'permission-rejected'])
  })

  test('aborted after the call has ended it does nothing', async () => {
    let own: AbortController | undefined
    const { add, play, options } = stage(() => [
      makeTool('Read', {
        call: (_input, { abortController }) => {
          own = abortController
          return { data: 'x' }
        },
      }),
    ])
    add(use('Read'))
    await play()
    own?.abort()
    expect(options.query.signal.aborted).toBe(false)
  })
})

describe('the bare No of the user', () => {
  test('answers the call with the denial and ends the query before anybody else begins', async () => {
    const { add, play, options, log } = stage((clock, log) => [slowTool('Edit', { clock, log }, shell)], {
      authorize: async () => ({
        behavior: 'deny',
        message: '',
        interrupt: true,
        reason: { type: 'user', detail: 'no' },
      }),
    })
    add(use('Edit', {}, 'a'), use('Edit', {}, 'b'))
    const answers = await play()
    expect(answers.map(({ cause }) => cause)).toEqual(['denied', 'permission-rejected'])
    expect(textOf(answers[0])).toContain('does not want to proceed')
    expect(options.query.signal.reason).toMatchObject({
      kind: 'permission-rejected',
      facts: { toolUseId: 'a' },
    })
    expect(log).toEqual([])
  })
})

describe('interrupt', () => {
  test('cancels those that say so, begun or queued; the others run, and the query goes on', async () => {
    const { add, play, at, executor, options, log } = stage((clock, log) => [
      slowTool('Sleep', { clock, log }, { ...safe, interruptBehavior: () => 'cancel' }),
      slowTool('Grep', { clock, log }, safe),
      slowTool('Edit', { clock, log }),
    ])
    add(use('Sleep', { ms: 1_000 }), use('Grep', { ms: 30 }), use('Edit', { ms: 5 }), use('Sleep', {}))
    at(10, () => executor.interrupt())
    at(20, () => add(use('Sleep', { name: 'later', ms: 1 })))
    const answers = await play()
    expect(answers.map(({ cause }) => cause)).toEqual([
      'user-interrupted',
      'ran',
      'ran',
      'user-interrupted',
      'ran',
    ])
    expect(log).toEqual([
      '0 Sleep enters',
      '0 Grep enters',
      '10 Sleep ends',
      '30 Grep ends',
      '30 Edit enters',
      '35 Edit ends',
      '35 later enters',
      '36 later ends',
    ])
    expect(options.query.signal.aborted).toBe(false)
  })
})

describe('cancelQueued', () => {
  test('answers what has not begun and what still comes; what runs ends normally', async () => {
    const { add, play, at, executor } = stage((clock, log) => [slowTool('Edit', { clock, log })])
    add(use('Edit', { name: 'a', ms: 20 }), use('Edit'))
    at(10, () => {
      executor.cancelQueued('The model refused.')
      add(use('Edit'))
    })
    const answers = await play()
    expect(answers.map(textOf)).toEqual(['a done', 'The model refused.', 'The model refused.'])
    expect(answers.map(({ cause }) => cause)).toEqual(['ran', 'not-started', 'not-started'])
  })
})

describe('discard', () => {
  test('is at once and final, hands back what was not yielded, and ends both iterators', async () => {
    const { add, play, at, executor, log, options } = stage((clock, log) => [
      slowTool('Read', { clock, log }, safe),
    ])
    let rest: unknown
    add(use('Read', { name: 'a', ms: 50 }), use('Read', { name: 'b', ms: 5 }))
    at(10, () => {
      rest = executor.discard().map(({ cause }) => cause)
      add(use('Read'))
      expect([...executor.getCompletedResults()]).toEqual([])
    })
    expect(await play()).toEqual([])
    expect(rest).toEqual(['streaming-fallback', 'ran'])
    expect(executor.discard()).toEqual([])
    expect(log).toEqual(['0 a enters', '0 b enters', '5 b ends', '10 a ends'])
    expect(options.query.signal.aborted).toBe(false)
  })

  test('is allowed only while hasEffects is false: a read leaves it so, an edit does not', async () => {
    const { add, play, executor, at } = stage((clock, log) => [
      slowTool('Read', { clock, log }, safe),
      slowTool('Edit', { clock, log }),
    ])
    const seen: boolean[] = []
    add(use('Read', { ms: 20 }), use('Edit', { ms: 10 }))
    for (const ms of [10, 25]) at(ms, () => seen.push(executor.hasEffects))
    await play()
    expect(seen).toEqual([false, true])
  })

  test('disposing discards and waits for the end, not longer than the grace', async () => {
    const { add, executor, clock, at, play } = stage(
      (clock, log) => [slowTool('Bash', { clock, log }, { obeys: false })],
      { endGraceMs: 70 },
    )
    add(use('Bash', { ms: 1_000 }))
    let disposedMs = 0
    at(10, () => void executor[Symbol.asyncDispose]().then(() => (disposedMs = clock.now())))
    await play()
    expect(disposedMs).toBe(80)
  })
})

test('nobody runs beside the leftover of a call that ran alone until its grace is over', async () => {
  const { add, play, at, executor, log } = stage(
    (clock, log) => [
      slowTool('Bash', { clock, log }, { obeys: false, interruptBehavior: () => 'cancel' }),
      slowTool('Read', { clock, log }, safe),
    ],
    { endGraceMs: 100 },
  )
  add(use('Bash', { ms: 1_000 }), use('Read', { ms: 10 }))
  at(50, () => executor.interrupt())
  await play()
  expect(log).toEqual(['0 Bash enters', '150 Read enters', '160 Read ends', '1000 Bash ends'])
})

test.each([-1, Number.NaN])('endGraceMs of %s is a RangeError', (endGraceMs) => {
  expect(() => stage(() => [], { endGraceMs })).toThrow(
    new RangeError(`endGraceMs must be a number of at least 0, but is ${endGraceMs}`),
  )
})
