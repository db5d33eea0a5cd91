import { checkHistory, isContinuation, type Message, type UserMessage } from '@x/contract'
import { describe, expect, test } from 'vitest'
import { type CompactReason, createCompactor } from '../../src/index.ts'
import { end, fails, message, type Step, scriptedModel, start, text, usage } from '../scripted-model.ts'
import { assistant, call, compact, history, result, summarizer, turn, user } from './compact-kit.ts'

// Results of Bash stay, so that only a summary helps. A window of 10,000 tokens: up to 1,800 of the last turns stay.
const big = (id: string) => turn(id, 12_000, 'Bash')
const small = (id: string) => turn(id, 1_000, 'Bash')
const old = history(big('a'), big('b'), small('c'), small('d'))

const firstText = (messages: readonly Message[]): string => {
  const block = messages[0]?.content[0]
  return typeof block === 'object' && block.type === 'text' ? block.text : ''
}
const types = (records: readonly object[]): unknown[] =>
  records.map((record) => [
    Reflect.get(record, 'subtype') ?? Reflect.get(record, 'type'),
    Reflect.get(record, 'status'),
  ])

describe('a summary', () => {
  test('takes the place of all but the last turns, which stay as they are', async () => {
    const {
      end: ended,
      messages,
      logged,
      listeners,
    } = await compact(old, summarizer(message(text('They read a and b.'))))
    expect(ended.type).toBe('shorter')
    expect(checkHistory(messages)).toEqual([])
    expect(messages[0]?.role).toBe('user')
    expect(firstText(messages)).toMatch(/^\[Summary of this conversation[^]*They read a and b\./)
    expect(messages.slice(1)).toEqual(old.slice(5))
    expect(messages.slice(1).every((each, index) => each === old[5 + index])).toBe(true)
    expect(logged).toEqual([[{ kind: 'summary', trigger: 'auto', preTokens: expect.any(Number) }, messages]])
    expect(listeners).toBe(0)
  })

  test('is asked of the model of the conversation, with the same prefix', async () => {
    const model = summarizer()
    const tools = [{ name: 'Bash', description: 'Runs', input_schema: { type: 'object' as const } }]
    const system = [{ type: 'text' as const, text: 'Be brief' }]
    const request = {
      system,
      tools,
      modelName: 'other',
      maxOutputTokens: 500,
      instructions: 'Keep the names',
    }
    await compact(old, model, { request: { ...request, reason: 'manual' } })
    expect(model.requests).toHaveLength(1)
    const [sent] = model.requests
    expect(sent).toMatchObject({ model: 'other', system, tools, maxOutputTokens: 500 })
    expect(isContinuation(old.slice(0, -1), sent?.messages ?? [])).toBe(true)
    expect(sent?.messages.length).toBe(old.length)
    expect(sent?.messages.at(-1)?.content).toEqual([
      old.at(-1)?.content[0],
      text(
        expect.stringMatching(
          /do not call any tool[^]*The user asks of this summary: Keep the names$/,
        ) as never,
      ),
    ])
    await compact(old, model, { maxSummaryTokens: 100 })
    expect(model.requests[1]?.maxOutputTokens).toBe(100)
  })

  test('comes with what is attached, and with what the user said right before the kept turns', async () => {
    const said = [...old.slice(0, 5), assistant(text('Done')), user(text('Now the tests')), ...small('c')]
    const { messages } = await compact(said, summarizer(), {
      keepTurns: 1,
      attachments: async () => [text('Plan: step 2')],
    })
    expect(messages[0]?.content.slice(1)).toEqual([text('Plan: step 2'), text('Now the tests')])
    expect(messages.slice(1)).toEqual(small('c'))
  })

  test('takes in what the user said before the kept turns where that is too long', async () => {
    const said = [...old.slice(0, 5), assistant(text('Done')), user(text('y'.repeat(8_000))), ...small('c')]
    const { messages } = await compact(said, summarizer(), { keepTurns: 1 })
    expect(messages[0]?.content).toHaveLength(1)
    expect(messages.slice(1)).toEqual(small('c'))
  })

  test('never swallows what the user said last', async () => {
    const long = text('y'.repeat(12_000))
    const asked = [...old.slice(0, 5), assistant(text('z'.repeat(8_000))), user(long)]
    const { messages } = await compact(asked, summarizer())
    expect(messages).toHaveLength(1)
    expect(messages[0]?.content.slice(1)).toEqual([long])
    const joined = [user(text(firstText(messages)), text('And now this')), assistant(text('z'.repeat(9_000)))]
    const again = await compact([...joined, user(text(firstText(messages)), text('Hurry'))], summarizer())
    expect(again.messages[0]?.content.slice(1)).toEqual([text('Hurry')])
  })

  test('takes in a last turn that is too large, and a summary before it', async () => {
    const first = await compact(old, summarizer(message(text('First.'))))
    const { messages } = await compact([...first.messages, ...big('e')], summarizer(message(text('Second.'))))
    expect(messages).toHaveLength(1)
    expect(JSON.stringify(messages)).toMatch(/Second\./)
    expect(JSON.stringify(messages)).not.toMatch(/First\./)
  })

  test('is made of a short conversation too when the user asks, and of nothing there is none', async () => {
    const short = history(turn('a', 4_000, 'Bash'), [assistant(text('Done'))])
    const manual = { request: { reason: 'manual' as const } }
    const { messages } = await compact(short, summarizer(), manual)
    expect(messages.length).toBe(2)
    const model = summarizer()
    for (const little of [[], history(), history([assistant(text('Hi'))])]) {
      const none = await compact(little, model, manual)
      expect(none.end).toMatchObject({ type: 'unchanged', cause: 'empty' })
    }
    expect(model.requests).toEqual([])
  })

  test('is told of by records, of which the first and the last say that work goes on and has ended', async () => {
    const { records } = await compact(old, summarizer(), {
      request: { parentToolUseId: 'toolu_agent' },
    })
    expect(types(records)).toEqual([
      ['status', 'compacting'],
      ['compact_boundary', undefined],
      ['status', null],
    ])
    expect(records[1]).toEqual({
      type: 'system',
      subtype: 'compact_boundary',
      parent_tool_use_id: 'toolu_agent',
      compact_metadata: { trigger: 'auto', pre_tokens: expect.any(Number) },
    })
  })

  test('is made mendable where the model or what is attached is not fit to be sent', async () => {
    const { messages } = await compact(old, summarizer(message(text('half \ud83d'))), {
      attachments: async () => [text(' '), text('\udc00')],
    })
    expect(checkHistory(messages)).toEqual([])
    expect(messages[0]?.content).toHaveLength(2)
  })
})

describe('a summary that is no good', () => {
  const cases: [string, readonly Step[], RegExp][] = [
    ['that calls a tool', message(text('Let me see'), call('z', 'Read')), /called a tool/],
    ['that is empty', message(text(' ')), /said nothing/],
    ['that the output limit cut', message(text('They'), 'max_tokens'), /output limit/],
    ['that was refused', [start(), end('refusal', { refusal: 'policy' })], /policy/],
    ['that paused', message(text('They'), 'pause_turn'), /paused/],
    ['that is longer than what it replaces', message(text('They read. '.repeat(9_000))), /no shorter/],
    ['that was not permitted', [fails('authentication_failed')], /authentication_failed/],
    ['that met a broken model', [{ type: 'throw', error: new TypeError('bug') }], /bug/],
  ]
  test.each(cases)('%s changes nothing', async (_title, script, why) => {
    const { end: ended, records, logged, listeners } = await compact(old, summarizer(script))
    expect(ended).toEqual({ type: 'unchanged', cause: 'failed', message: expect.stringMatching(why) })
    expect(types(records)).toEqual([
      ['status', 'compacting'],
      ['informational', undefined],
      ['status', null],
    ])
    expect([logged, listeners]).toEqual([[], 0])
  })

  test('for want of luck is asked for again', async () => {
    const model = summarizer([fails('overloaded', { status: 529 })], [start()], message(text('At last.')))
    const waits: number[] = []
    const clock = {
      now: () => 0,
      setTimeout: (callback: () => void, ms: number) => (waits.push(ms), setImmediate(callback)),
      clearTimeout: () => undefined,
    }
    const { messages, records } = await compact(old, model, { clock })
    expect(firstText(messages)).toContain('At last.')
    expect(records.slice(1, 3)).toMatchObject([
      { subtype: 'api_retry', attempt: 1, max_retries: 3, error_status: 529, error: 'overloaded' },
      { subtype: 'api_retry', attempt: 2, error: 'unknown' },
    ])
    expect(waits).toEqual([500, 1_000])
    const gone = await compact(old, summarizer(...Array.from({ length: 9 }, () => [fails('overloaded')])), {
      clock,
    })
    expect(gone.end).toMatchObject({ cause: 'failed', message: expect.stringContaining('overloaded') })
    const once = await compact(old, summarizer([fails('overloaded')]), { clock, retry: { maxRetries: 0 } })
    expect(once.end.type).toBe('unchanged')
  })

  test('costs what it costs', async () => {
    const paid: unknown[] = []
    const onUsage = (...each: unknown[]) => void paid.push(each)
    await compact(old, summarizer(message(call('z'))), { request: { onUsage } })
    await compact(old, summarizer([start(), fails('invalid_request')]), { request: { onUsage } })
    await compact(old, summarizer([fails('invalid_request')]), { request: { onUsage } })
    expect(paid).toEqual([
      ['main', usage(10, 5)],
      ['main', usage(10, 1)],
    ])
  })
})

describe('a history that is too long to be summarized', () => {
  const tooLong = [fails('prompt_too_long')]
  const long = history(...['a', 'b', 'c', 'd', 'e', 'f'].map(big))
  const letters = (messages: readonly Message[] | undefined): number => JSON.stringify(messages).length

  test('is sent without old results, then without its oldest turns, and each time valid', async () => {
    const model = summarizer(
      tooLong,
      [fails('request_too_large')],
      [start(), end('model_context_window_exceeded')],
      tooLong,
    )
    const { end: ended } = await compact(long, model)
    expect(ended.type).toBe('shorter')
    expect(model.requests.map(({ messages }) => messages.length)).toEqual([13, 13, 13, 9, 5])
    const sizes = model.requests.map(({ messages }) => letters(messages))
    expect(sizes.every((size, index) => index === 0 || size < (sizes[index - 1] ?? 0))).toBe(true)
    for (const { messages } of model.requests) expect(checkHistory(messages)).toEqual([])
    expect(model.requests[4]?.messages[0]?.content).toEqual([
      text('Fix the bug'),
      text(expect.stringContaining('left out') as never),
    ])
  })

  test('is given up after five requests', async () => {
    const model = summarizer(...Array.from({ length: 9 }, () => tooLong))
    const { end: ended, messages } = await compact(long, model)
    expect(ended).toMatchObject({ cause: 'failed', message: expect.stringContaining('too long') })
    expect([model.requests.length, messages]).toEqual([5, long])
  })

  test('is not sent as it is when the service has refused it already', async () => {
    const model = summarizer()
    const { logged } = await compact(long, model, {
      request: { reason: 'prompt-too-long', contextTokens: 50 },
    })
    expect(letters(model.requests[0]?.messages)).toBeLessThan(letters(long) / 2)
    expect(logged[0]?.[0].preTokens).toBe(10_000)
  })
})

describe('hooks around compaction', () => {
  const block = async () => ({ blockingError: 'not now' })

  test('77: PreCompact auto, exit 2: compaction is skipped', async () => {
    const model = summarizer()
    const seen: unknown[] = []
    const { end: ended, records } = await compact(old, model, {
      onPreCompact: async ({ trigger, instructions }) => {
        seen.push([trigger, instructions])
        return block()
      },
    })
    expect(ended).toMatchObject({ type: 'unchanged', cause: 'blocked' })
    expect([model.requests, records, seen]).toEqual([[], [], [['auto', null]]])
  })

  test('that block say why where the user asked, and where the service had refused', async () => {
    for (const reason of ['manual', 'prompt-too-long', 'cut-off'] satisfies CompactReason[]) {
      const { end: ended, records } = await compact(old, summarizer(), {
        onPreCompact: block,
        request: { reason },
      })
      expect(ended).toMatchObject({ cause: 'blocked', message: expect.stringContaining('not now') })
      expect(records).toMatchObject([
        { subtype: 'informational', content: expect.stringContaining('not now') },
      ])
    }
  })

  test('hear what set it off, and afterwards the summary', async () => {
    const heard: unknown[] = []
    const { records } = await compact(old, summarizer(message(text('They read.'))), {
      request: { reason: 'manual', instructions: 'Keep names' },
      log: async () => void heard.push('logged'),
      onPreCompact: async ({ trigger, instructions }) => void heard.push([trigger, instructions]),
      onPostCompact: async ({ trigger, summary }) => {
        heard.push([trigger, summary])
        return { notices: ['saved'] }
      },
    })
    expect(heard).toEqual([['manual', 'Keep names'], 'logged', ['manual', 'They read.']])
    expect(types(records).slice(-3)).toEqual([
      ['compact_boundary', undefined],
      ['informational', undefined],
      ['status', null],
    ])
  })

  test('and attachments that fail are told and change nothing', async () => {
    const fail = (what: string) => () => Promise.reject(new Error(what))
    const { end: ended, records } = await compact(old, summarizer(), {
      onPreCompact: fail('before'),
      attachments: fail('attached'),
      onPostCompact: fail('after'),
    })
    expect(ended.type).toBe('shorter')
    expect(records.flatMap((record) => ('content' in record ? [record['content']] : []))).toEqual([
      expect.stringContaining('before'),
      expect.stringContaining('attached'),
      expect.stringContaining('after'),
    ])
  })
})

describe('compaction that is switched off', () => {
  test('does nothing by itself, and with the other switch nothing at all', async () => {
    const model = summarizer()
    const manual = { request: { reason: 'manual' as const } }
    const off = { type: 'unchanged', cause: 'off' }
    expect((await compact(old, model, { isAutoDisabled: true })).end).toMatchObject(off)
    expect((await compact(old, model, { isDisabled: true, ...manual })).end).toMatchObject(off)
    expect(model.requests).toEqual([])
    expect((await compact(old, model, { isAutoDisabled: true, ...manual })).end.type).toBe('shorter')
  })
})

describe('an abort', () => {
  const never = () => new Promise<never>(() => undefined)
  const wait: Step = { type: 'wait', until: never }
  const hanging: [string, object, readonly Step[]][] = [
    ['in the hook before', { onPreCompact: never }, []],
    ['before the answer', {}, [wait]],
    ['in the middle of the answer', {}, [...message(text('They')).slice(0, -1), wait]],
    ['between two tries', { retry: { baseDelayMs: 60_000 } }, [fails('overloaded')]],
    ['while attachments are gathered', { attachments: never }, message(text('They read.'))],
  ]
  test.each(hanging)('%s leaves the history as it was', async (_title, options, script) => {
    const controller = new AbortController()
    const running = compact(old, summarizer(script), { ...options, request: { signal: controller.signal } })
    for (let tick = 0; tick < 5; tick += 1) await new Promise((resolve) => setImmediate(resolve))
    controller.abort()
    const { end: ended, messages, logged, listeners, records } = await running
    expect(ended).toMatchObject({ type: 'unchanged', cause: 'aborted' })
    expect([messages, logged, listeners]).toEqual([old, [], 0])
    const status = records.flatMap((record) => ('status' in record ? [record['status']] : []))
    expect(status).toEqual(options.hasOwnProperty('onPreCompact') ? [] : ['compacting', null])
  })

  test('is the end of a stream that does not obey it, too', async () => {
    const controller = new AbortController()
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    const deaf = {
      ...summarizer(),
      async *stream() {
        try {
          for (;;) {
            await new Promise((next) => setImmediate(next))
            yield start()
          }
        } finally {
          resolve()
        }
      },
    }
    const running = compact(old, deaf, { request: { signal: controller.signal } })
    setImmediate(() => controller.abort())
    expect((await running).end).toMatchObject({ cause: 'aborted' })
    await closed
  })

  test('while the shorter history is logged waits for that, and it counts; the hook after it is not waited for', async () => {
    const controller = new AbortController()
    const { end: ended, listeners } = await compact(old, summarizer(), {
      request: { signal: controller.signal },
      log: async () => {
        controller.abort()
        await new Promise((resolve) => setImmediate(resolve))
      },
      onPostCompact: never,
    })
    expect([ended.type, listeners]).toEqual(['shorter', 0])
  })

  test('before it begins asks nobody', async () => {
    const model = summarizer()
    const { end: ended } = await compact(old, model, { request: { signal: AbortSignal.abort() } })
    expect([ended, model.requests]).toMatchObject([{ cause: 'aborted' }, []])
  })
})

test('a log that fails fails the compaction', async () => {
  const log = () => Promise.reject(new Error('disk full'))
  await expect(compact(old, summarizer(), { log })).rejects.toThrow('disk full')
})

test('options out of range are refused at once', () => {
  const options = { model: scriptedModel(), log: async () => undefined }
  for (const wrong of [
    { keepTurns: -1 },
    { keepTurns: 0.5 },
    { maxSummaryTokens: 0 },
    { retry: { maxRetries: 16 } },
  ]) {
    expect(() => createCompactor({ ...options, ...wrong })).toThrow(RangeError)
  }
})

test('tokens are estimated by bytes, pictures and pages by what they cost', async () => {
  const image = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(400_000) },
  } as const
  const pdf = {
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: 'A'.repeat(4_000) },
  } as const
  const count = async (content: UserMessage['content']): Promise<number> => {
    const { logged } = await compact([{ role: 'user', content }, ...old.slice(1)], summarizer())
    return logged[0]?.[0].preTokens ?? 0
  }
  const base = await count('')
  expect((await count('a'.repeat(400))) - base).toBe(100)
  expect((await count('語'.repeat(400))) - base).toBe(300)
  expect((await count([image])) - base).toBe(1_600)
  expect((await count([pdf])) - base).toBe(100)
  const inside = await count([result('x', [image])])
  expect(inside - base).toBe(1_600)
})
