import type { ToolHooks } from '@x/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ExecutorOptions } from '../src/index.ts'
import { makeTool, safe, stage, textOf, use } from './harness.ts'

const rejections: unknown[] = []
const note = (reason: unknown): void => void rejections.push(reason)

beforeEach(() => {
  rejections.length = 0
  process.on('unhandledRejection', note)
})

afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', note)
  expect(rejections).toEqual([])
})

const silent = { context: [], notices: [] }

function fail(error: unknown = new Error('hostile')): never {
  throw error
}

async function run(parts: Parameters<typeof makeTool>[1], options: Partial<ExecutorOptions> = {}) {
  const { add, play, events, at, executor } = stage(
    () => [makeTool('Odd', parts), makeTool('Good', safe)],
    options,
  )
  add(use('Odd', {}, 'odd'), use('Good', {}, 'good'))
  at(100, () => undefined)
  const [odd, good] = await play()
  expect(good?.cause).toBe('ran')
  expect(odd?.result.tool_use_id).toBe('odd')
  await executor.settled
  return { odd, events, text: textOf(odd) }
}

test('five safe calls, four of them fail in odd ways: five results in order, one a success', async () => {
  const { add, play } = stage(() => [
    makeTool('Fine', safe),
    { ...makeTool('Sync', safe), call: () => fail(new Error('at once')) },
    { ...makeTool('Undefined', safe), call: () => Promise.reject(undefined) },
    makeTool('Text', { ...safe, call: () => fail('just a text') }),
    makeTool('Mapper', { ...safe, mapResult: () => fail() }),
  ])
  add(use('Fine'), use('Sync'), use('Undefined'), use('Text'), use('Mapper'))
  const answers = await play()
  expect(answers.map(textOf)).toEqual([
    'Fine done',
    'at once',
    'It failed without saying why.',
    'just a text',
    '<tool_use_error>The call ran, but its output cannot be shown: hostile</tool_use_error>',
  ])
  expect(answers.map(({ result }) => result.is_error)).toEqual([undefined, true, true, true, true])
})

describe('whatever is thrown becomes an error with some text', () => {
  const nameless = new Error('')
  nameless.name = ''
  test.each<[string, unknown, string | RegExp]>([
    ['an error', new TypeError('bad'), 'bad'],
    ['an error without a message', new RangeError(''), 'RangeError'],
    ['an error without anything', nameless, 'It failed without saying why.'],
    ['null', null, 'It failed without saying why.'],
    ['a number', 7, '7'],
    ['an object', { code: 7 }, '{"code":7}'],
    ['a circular object', circular(), 'It failed without saying why.'],
    ['a symbol', Symbol('x'), 'It failed without saying why.'],
    [
      'a hostile getter',
      Object.defineProperty(new Error('x'), 'message', { get: () => fail() }),
      'It failed without saying why.',
    ],
    [
      'a message that is no text',
      Object.defineProperty(new Error('x'), 'message', { value: { a: 1 } }),
      'It failed without saying why.',
    ],
    ['a hostile toString', { toString: () => fail(), toJSON: () => fail() }, 'It failed without saying why.'],
    [
      'a proxy that throws',
      new Proxy({}, { get: () => fail(), getPrototypeOf: () => fail() }),
      'It failed without saying why.',
    ],
  ])('%s', async (_title, error, text) => {
    expect((await run({ call: () => fail(error) })).text).toBe(text)
  })
})

describe('a tool that gives back something odd', () => {
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'x'],
    [
      'a getter that throws',
      {
        get data() {
          return fail()
        },
      },
    ],
    ['messages that cannot be iterated', { data: 'x', newMessages: 7 }],
  ])('%s is an error', async (_title, returned) => {
    const { odd } = await run({ call: () => returned })
    expect(odd?.result.is_error).toBe(true)
  })

  test('circular output goes out to programs, the model gets an error', async () => {
    const { text, odd } = await run({ call: () => ({ data: circular() }) })
    expect(text).toContain('its output cannot be shown')
    expect(odd?.output).toEqual(circular())
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty text', ''],
    ['blanks', ' \n'],
    ['no parts', []],
    ['empty parts', [{ type: 'text', text: '' }]],
    ['junk', [null, 7, {}, { type: 'text' }]],
    ['a number', 7],
  ])('a result with %s says that there was none', async (_title, content) => {
    const mapResult = () => ({ type: 'tool_result', tool_use_id: 'other', content }) as never
    expect((await run({ mapResult })).text).toBe('(Odd completed with no output)')
  })

  test.each<[string, () => unknown]>([
    ['gives no block', () => undefined],
    ['gives another id', () => ({ type: 'text', tool_use_id: 'other', content: 'x' })],
    [
      'gives the id a getter',
      () => ({
        get tool_use_id() {
          return fail()
        },
        content: 'x',
      }),
    ],
  ])('a mapper that %s', async (_title, mapResult) => {
    const { odd } = await run({ mapResult: mapResult as never })
    expect(odd?.result).toMatchObject({ type: 'tool_result', tool_use_id: 'odd' })
  })

  test('messages without content are left out', async () => {
    const newMessages = [
      { role: 'user', content: '' },
      { role: 'user', content: [] },
      null,
      { role: 'user', content: 'y' },
    ]
    const { odd } = await run({ call: () => ({ data: 'x', newMessages }) })
    expect(odd?.attached).toEqual([{ role: 'user', content: 'y' }])
  })
})

test.each<[string, Parameters<typeof makeTool>[1]]>([
  ['isConcurrencySafe', { isConcurrencySafe: () => fail(), isReadOnly: () => true }],
  ['isReadOnly', { isReadOnly: () => fail() }],
  ['failureCancelsSiblings', { failureCancelsSiblings: () => fail() }],
  ['interruptBehavior', { interruptBehavior: () => fail() }],
])('%s that throws counts as its closed value', async (_title, parts) => {
  expect((await run(parts)).odd?.cause).toBe('ran')
})

test.each<[string, Parameters<typeof makeTool>[1]]>([
  ['validateInput', { validateInput: () => fail() }],
  ['backfillInput', { backfillInput: () => fail() }],
])('%s that throws is an error result', async (_title, parts) => {
  const { odd, text } = await run(parts)
  expect(odd?.result.is_error).toBe(true)
  expect(text).toContain('hostile')
})

describe('hooks', () => {
  const broken: readonly [string, () => never][] = [
    ['throw', () => fail()],
    ['reject', () => Promise.reject(new Error('hostile')) as never],
    ['answer nonsense', () => Promise.resolve({ context: 7 }) as never],
    ['answer nothing', () => Promise.resolve(undefined) as never],
  ]
  for (const event of ['preToolUse', 'postToolUse', 'postToolUseFailure'] as const) {
    test.each(broken)(`${event} hooks that %s have no opinion`, async (_title, hook) => {
      const hooks: ToolHooks = {
        preToolUse: async () => silent,
        postToolUse: async () => silent,
        postToolUseFailure: async () => silent,
        [event]: hook,
      }
      const call = () => (event === 'postToolUseFailure' ? fail() : { data: 'x' })
      const { odd, text } = await run({ call }, { hooks })
      expect(text).toBe(event === 'postToolUseFailure' ? 'hostile' : 'x')
      expect(odd?.notices.join()).toMatch(/hooks failed/)
    })
  }
})

test.each<[string, () => never]>([
  ['throws', () => fail()],
  ['rejects', () => Promise.reject(new Error('hostile')) as never],
  ['answers nothing', () => undefined as never],
  ['answers nonsense', () => ({ behavior: 'maybe' }) as never],
  ['denies without a message', () => ({ behavior: 'deny' }) as never],
])('an authority that %s denies', async (_title, authorize) => {
  const { add, play } = stage(() => [makeTool('Odd')], { authorize })
  add(use('Odd'))
  const [odd] = await play()
  expect(odd?.cause).toBe('denied')
  expect(textOf(odd)).toContain('The permission check failed')
})

test('an advance on the decision that throws is ignored', async () => {
  const authorize = Object.assign(
    async () => ({ behavior: 'allow' as const, reason: { type: 'mode' as const, detail: '' } }),
    {
      prepare: () => fail(),
    },
  )
  expect((await run({}, { authorize })).odd?.cause).toBe('ran')
})

test('whoever listens and throws is ignored', async () => {
  const { add, play, options } = stage(() => [makeTool('Odd')], { debug: () => fail() })
  Object.assign(options.context, { ui: { inProgress: () => fail(), interruptible: () => fail() } })
  add(use('Odd'))
  expect((await play())[0]?.cause).toBe('ran')
})

test.each(['hook', 'authorize', 'call', 'store'])(
  'an abort answers a call whose %s never settles',
  async (stuck) => {
    const never = (): Promise<never> => new Promise(() => undefined)
    const { add, play, at, options, executor } = stage(
      () => [
        makeTool('Odd', {
          maxResultSizeChars: 3,
          call: () => (stuck === 'call' ? never() : { data: 'long text' }),
        }),
      ],
      {
        ...(stuck === 'authorize' && { authorize: never }),
        ...(stuck === 'store' && { storeResult: never }),
        ...(stuck === 'hook' && {
          hooks: {
            preToolUse: never,
            postToolUse: async () => silent,
            postToolUseFailure: async () => silent,
          },
        }),
      },
    )
    add(use('Odd'), use('Odd'))
    at(10, () => options.query.abort())
    expect(await play()).toHaveLength(2)
    await executor.settled
  },
)

test('progress after the answer, after the return and without end does no harm', async () => {
  let report: ((data: unknown) => void) | undefined
  const { events } = await run({
    call: (_input, _context, { onProgress }) => {
      report = onProgress
      for (let count = 0; count < 1_000; count++) onProgress(count)
      setImmediate(() => onProgress('late'))
      return { data: 'x' }
    },
  })
  report?.('later')
  const progress = events.filter((event) => event.type === 'tool-progress')
  expect(progress.map(({ data }) => data)).toEqual(Array.from({ length: 64 }, (_, index) => 936 + index))
  expect(progress.at(-1)?.dropped).toBe(936)
})

test('two calls that share an id both run, paired by position', async () => {
  const { add, play } = stage(() => [makeTool('Read', { ...safe, call: ({ path }) => ({ data: path }) })])
  add(use('Read', { path: 'a' }, 'x'), use('Read', { path: 'b' }, 'x'), use('Read', { path: 'c' }, ''))
  const answers = await play()
  expect(answers.map(({ toolUseId, result }) => [toolUseId, result.content])).toEqual([
    ['x', 'a'],
    ['x', 'b'],
    ['', 'c'],
  ])
})

test('a tool that calls back into its executor harms nobody', async () => {
  const set = stage(() => [
    makeTool('Odd', {
      call: () => {
        set.executor.interrupt()
        set.executor.addTool(use('Good', {}, 'nested'), { role: 'assistant', content: [] })
        set.executor.cancelQueued('no more')
        return { data: 'x' }
      },
    }),
    makeTool('Good', safe),
  ])
  set.add(use('Odd'), use('Good'))
  const answers = await set.play()
  expect(answers.map(({ cause }) => cause)).toEqual(['ran', 'not-started', 'not-started'])
})

test('a listener of the query that comes back before the executor has heard starts nobody', async () => {
  const begun: string[] = []
  const { add, play, at, options, executor } = stage(
    () => [
      makeTool('Wait', {
        ...safe,
        call: () => new Promise(() => undefined),
        interruptBehavior: () => 'cancel',
      }),
      makeTool('Read', safe),
    ],
    { maxConcurrency: 1, debug: ({ state, toolName }) => state === 'executing' && begun.push(toolName) },
  )
  options.query.signal.addEventListener('abort', () => {
    executor.interrupt()
    executor.addTool(use('Read'), { role: 'assistant', content: [] })
  })
  add(use('Wait'), use('Read'))
  at(10, () => options.query.abort())
  expect((await play()).map(({ cause }) => cause)).toEqual([
    'user-interrupted',
    'host-stopped',
    'host-stopped',
  ])
  expect(begun).toEqual(['Wait'])
})

function circular(): unknown {
  const value: Record<string, unknown> = {}
  value['self'] = value
  return value
}
