import { expect, test } from 'vitest'
import { assistant, makeTool, safe, slowTool, stage, textOf, use } from './harness.ts'

test('safe calls run side by side, an unsafe one waits for them and holds back what is behind it', async () => {
  const { add, play, log } = stage((clock, log) => [
    slowTool('Read', { clock, log }, safe),
    slowTool('Edit', { clock, log }),
  ])
  add(
    use('Read', { name: 'A', ms: 50 }),
    use('Read', { name: 'B', ms: 30 }),
    use('Edit', { name: 'C', ms: 10 }),
    use('Read', { name: 'D', ms: 10 }),
  )
  const answers = await play()
  expect(log).toEqual([
    '0 A enters',
    '0 B enters',
    '30 B ends',
    '50 A ends',
    '50 C enters',
    '60 C ends',
    '60 D enters',
    '70 D ends',
  ])
  expect(answers.map(textOf)).toEqual(['A done', 'B done', 'C done', 'D done'])
})

test('a call that a hook makes unsafe enters alone, after what runs has ended', async () => {
  const { add, play, log } = stage(
    (clock, log) => [
      slowTool('Read', { clock, log }, safe),
      slowTool(
        'Bash',
        { clock, log },
        {
          isConcurrencySafe: (input) => (input as { name: string }).name === 'ls',
          isReadOnly: (input) => (input as { name: string }).name === 'ls',
        },
      ),
    ],
    {
      hooks: {
        preToolUse: async ({ tool, input }) => ({
          context: [],
          notices: [],
          ...(tool.name === 'Bash' && { updatedInput: { ...input, name: 'rm x' } }),
        }),
        postToolUse: async () => ({ context: [], notices: [] }),
        postToolUseFailure: async () => ({ context: [], notices: [] }),
      },
    },
  )
  add(
    use('Read', { name: 'A', ms: 40 }),
    use('Bash', { name: 'ls', ms: 10 }),
    use('Read', { name: 'B', ms: 5 }),
  )
  await play()
  // B began before the input was replaced; nobody begins while the call waits.
  expect(log).toEqual(['0 A enters', '0 B enters', '5 B ends', '40 A ends', '40 rm x enters', '50 rm x ends'])
})

test.each([
  ['3', 3],
  ['2', 2],
  ['no positive integer: the default', 0, 10],
  ['a fraction: the default', 1.5, 10],
  ['no number: the default', Number.NaN, 10],
])(
  'at most maxConcurrency calls run at once: %s',
  async (_title, maxConcurrency, expected = maxConcurrency) => {
    let running = 0
    let most = 0
    const { add, play } = stage(
      (clock) => [
        makeTool('Read', {
          ...safe,
          call: async () => {
            most = Math.max(most, ++running)
            await clock.sleep(10)
            running--
            return { data: 'x' }
          },
        }),
      ],
      { maxConcurrency },
    )
    add(...Array.from({ length: 15 }, () => use('Read')))
    await play()
    expect(most).toBe(expected)
  },
)

test('a call that waits for a person counts as running', async () => {
  const yes = Promise.withResolvers<void>()
  const { add, play, log, at } = stage(
    (clock, log) => [slowTool('Read', { clock, log }, safe), slowTool('Edit', { clock, log })],
    {
      maxConcurrency: 2,
      authorize: async ({ input }) => {
        if (input['asks'] === true) await yes.promise
        return { behavior: 'allow', reason: { type: 'user', detail: 'yes' } }
      },
    },
  )
  add(use('Read', { name: 'A', asks: true }), use('Read', { name: 'B', ms: 5 }), use('Edit', { name: 'C' }))
  at(30, () => yes.resolve())
  await play()
  expect(log).toEqual(['0 B enters', '5 B ends', '30 A enters', '30 A ends', '30 C enters', '30 C ends'])
})

test.each([
  [20, 10],
  [10, 20],
])(
  'of two calls that became unsafe the older enters first, whoever was judged first: %i, %i ms',
  async (old, young) => {
    const { add, play, log, clock } = stage(
      (clock, log) => [
        slowTool('Bash', { clock, log }, { isConcurrencySafe: (input) => !('unsafe' in (input as object)) }),
      ],
      {
        hooks: {
          preToolUse: async ({ input }) => {
            await clock.sleep(Number(input['hookMs']))
            return { context: [], notices: [], updatedInput: { ...input, unsafe: true } }
          },
          postToolUse: async () => ({ context: [], notices: [] }),
          postToolUseFailure: async () => ({ context: [], notices: [] }),
        },
      },
    )
    add(
      use('Bash', { name: 'old', hookMs: old, ms: 5 }),
      use('Bash', { name: 'young', hookMs: young, ms: 5 }),
    )
    await play()
    expect(log).toEqual(['20 old enters', '25 old ends', '25 young enters', '30 young ends'])
  },
)

test('a call that waits to be alone and is cancelled holds nobody up', async () => {
  const { add, play, log, clock, at, executor } = stage(
    (clock, log) => [
      slowTool('Read', { clock, log }, safe),
      slowTool(
        'Bash',
        { clock, log },
        {
          isConcurrencySafe: (input) => !('unsafe' in (input as object)),
          interruptBehavior: () => 'cancel',
        },
      ),
    ],
    {
      hooks: {
        preToolUse: async ({ tool, input }) => ({
          context: [],
          notices: [],
          ...(tool.name === 'Bash' && { updatedInput: { ...input, unsafe: true } }),
        }),
        postToolUse: async () => ({ context: [], notices: [] }),
        postToolUseFailure: async () => ({ context: [], notices: [] }),
      },
    },
  )
  add(use('Read', { name: 'a', ms: 40 }), use('Bash', {}))
  at(10, () => executor.interrupt())
  at(20, () => add(use('Read', { name: 'b', ms: 5 })))
  await play()
  expect(log).toEqual(['0 a enters', '20 b enters', '25 b ends', '40 a ends'])
  expect(clock.pending).toBe(0)
})

test('until the message before has settled only read-only calls begin', async () => {
  const after = Promise.withResolvers<void>()
  const { add, play, log, at } = stage(
    (clock, log) => [slowTool('Read', { clock, log }, safe), slowTool('Edit', { clock, log })],
    { after: after.promise },
  )
  add(use('Read', { name: 'A', ms: 5 }), use('Edit', { name: 'B', ms: 5 }))
  at(100, () => after.resolve())
  await play()
  expect(log).toEqual(['0 A enters', '5 A ends', '100 B enters', '105 B ends'])
})

test('a call that is rewritten into one with effects waits for the message before, too', async () => {
  const after = Promise.withResolvers<void>()
  const silent = { context: [], notices: [] }
  const { add, play, log, at } = stage(
    (clock, log) => [
      slowTool(
        'Bash',
        { clock, log },
        { isConcurrencySafe: () => true, isReadOnly: (input) => !('write' in (input as object)) },
      ),
    ],
    {
      after: after.promise,
      hooks: {
        preToolUse: async ({ input }) => ({ ...silent, updatedInput: { ...input, write: true } }),
        postToolUse: async () => silent,
        postToolUseFailure: async () => silent,
      },
    },
  )
  add(use('Bash', { name: 'A', ms: 5 }))
  at(100, () => after.reject(new Error('whatever')))
  await play()
  expect(log).toEqual(['100 A enters', '105 A ends'])
})

test('an unknown name is answered at once and holds nobody back', async () => {
  const { add, play, log } = stage((clock, log) => [slowTool('Read', { clock, log }, safe)])
  add(use('Read', { name: 'A', ms: 50 }), use('Nope'), use('Read', { name: 'B', ms: 10 }))
  const answers = await play()
  expect(log).toEqual(['0 A enters', '0 B enters', '10 B ends', '50 A ends'])
  expect(answers.map(({ cause }) => cause)).toEqual(['ran', 'unknown-tool', 'ran'])
})

test('an input that does not fit is answered at its turn, alone', async () => {
  const { add, play, events } = stage((clock, log) => [
    slowTool('Read', { clock, log }, safe),
    makeTool('Strict', {
      ...safe,
      inputSchema: { safeParse: () => ({ success: false, error: { issues: [] } }) } as never,
    }),
  ])
  add(use('Read', { name: 'A', ms: 20 }, 'a'), use('Strict', {}, 's'), use('Read', { name: 'B' }, 'b'))
  await play()
  const passed = events
    .filter(({ type }) => type !== 'tool-result')
    .map(({ type, toolUseId }) => `${type} ${toolUseId}`)
  expect(passed).toEqual([
    'tool-start a',
    'tool-end a',
    'tool-start s',
    'tool-end s',
    'tool-start b',
    'tool-end b',
  ])
})

test('addTool after the end of the message answers with not-started', async () => {
  const { add, executor, play } = stage((clock, log) => [slowTool('Read', { clock, log }, safe)])
  add(use('Read'))
  await play()
  executor.addTool(use('Read'), assistant())
  expect([...executor.getCompletedResults()]).toMatchObject([{ type: 'tool-result', cause: 'not-started' }])
})
