import { AbortReason } from '@x/abort'
import type { ToolHooks } from '@x/contract'
import { expect, test } from 'vitest'
import { runTools } from '../src/index.ts'
import {
  assistant,
  type Input,
  makeOptions,
  makeTool,
  passTime,
  results,
  safe,
  slowTool,
  stage,
  textOf,
  use,
  whenAborted,
} from './harness.ts'
import { flush, VirtualClock } from './sim/virtual-clock.ts'

const silent = { context: [], notices: [] }
const noHooks: ToolHooks = {
  preToolUse: async () => silent,
  postToolUse: async () => silent,
  postToolUseFailure: async () => silent,
}
const shell = { failureCancelsSiblings: () => true }
/** Safe while its input does not say that it writes. */
const mixed = { isConcurrencySafe: isHarmless, isReadOnly: isHarmless }

function isHarmless(input: unknown): boolean {
  return (input as Input)['writes'] !== true
}

/** Turns every call of the tool into one that writes, after a while. */
function rewrite(name: string, wait: () => Promise<void> = async () => undefined): ToolHooks {
  return {
    ...noHooks,
    preToolUse: async ({ tool, input }) => {
      if (tool.name !== name) return silent
      await wait()
      return { ...silent, updatedInput: { ...input, writes: true } }
    },
  }
}

test('the abort of the query is a nearer cause than the refusal of the model', async () => {
  const { add, play, at, executor, options } = stage((clock, log) => [slowTool('Edit', { clock, log })])
  add(use('Edit', { ms: 20 }))
  at(5, () => {
    executor.cancelQueued('refused')
    options.query.abort(new AbortReason('user-cancel'))
    add(use('Edit'))
  })
  const answers = await play()
  expect(answers.map(({ cause }) => cause)).toEqual(['user-cancelled', 'user-cancelled'])
})

test('leftovers do not count for the cap', async () => {
  const { add, play, at, log, executor } = stage(
    (clock, lines) => [
      slowTool('Deaf', { clock, log: lines }, { ...safe, obeys: false, interruptBehavior: () => 'cancel' }),
      slowTool('Read', { clock, log: lines }, safe),
    ],
    { maxConcurrency: 1 },
  )
  add(use('Deaf', { ms: 100 }), use('Read', { ms: 5 }))
  at(10, () => executor.interrupt())
  await play()
  expect(log).toEqual(['0 Deaf enters', '10 Read enters', '15 Read ends', '100 Deaf ends'])
})

test('nobody begins while a rewritten call waits to be alone', async () => {
  const { add, play, at, log } = stage(
    (clock, lines) => [
      slowTool('Read', { clock, log: lines }, safe),
      slowTool('Bash', { clock, log: lines }, mixed),
    ],
    { hooks: rewrite('Bash') },
  )
  add(use('Read', { name: 'first', ms: 40 }), use('Bash', { ms: 10 }))
  at(20, () => add(use('Read', { name: 'late', ms: 5 })))
  await play()
  expect(log).toEqual([
    '0 first enters',
    '40 first ends',
    '40 Bash enters',
    '50 Bash ends',
    '50 late enters',
    '55 late ends',
  ])
})

test('the first failure is named, whoever fails after it', async () => {
  const { add, play, at } = stage((clock, log) => [
    slowTool('Run', { clock, log }, { ...shell, isConcurrencySafe: () => true }),
    slowTool('Look', { clock, log }, { ...shell, ...safe }),
  ])
  add(use('Run', { name: 'one', ms: 10, fails: true }), use('Look', { name: 'two', ms: 20, fails: true }))
  at(30, () => add(use('Run', { name: 'three' })))
  const answers = await play()
  expect(answers.map(({ cause }) => cause)).toEqual(['ran', 'ran', 'sibling-failed'])
  expect(textOf(answers[2])).toContain('Run(one)')
})

test.each([
  ['validateInput refuses', { validateInput: async () => ({ ok: false, message: 'no' }) as const }],
  [
    'backfillInput throws',
    {
      backfillInput: () => {
        throw new Error('broken')
      },
    },
  ],
])('a call of which %s is a failure and takes its siblings along', async (_name, parts) => {
  const { add, play } = stage((clock, log) => [
    slowTool('Bash', { clock, log }, { ...shell, ...parts }),
    slowTool('Edit', { clock, log }),
  ])
  add(use('Bash'), use('Edit'))
  const answers = await play()
  expect(answers.map(({ cause }) => cause)).toEqual(['invalid-input', 'sibling-failed'])
})

test('what a hook says after the call was answered is in no event', async () => {
  const { add, play, at, options } = stage((clock, log) => [slowTool('Edit', { clock, log })], {
    hooks: {
      ...noHooks,
      preToolUse: async ({ signal }) => {
        await whenAborted(signal)
        return { context: ['too late'], notices: ['too late'], stop: { reason: 'too late' } }
      },
    },
  })
  add(use('Edit'))
  at(5, () => options.query.abort(new AbortReason('user-cancel')))
  const [answer] = await play()
  expect(answer).toMatchObject({ cause: 'user-cancelled', attached: [], notices: [] })
  expect(answer?.stop).toBeUndefined()
})

test('a rewritten call of the batch engine moves the context on behind those it ran beside', async () => {
  const clock = new VirtualClock()
  const move = makeTool('Move', {
    ...mixed,
    call: (input) => ({
      data: 'moved',
      contextModifier: (before: { cwd: string }) => ({
        ...before,
        cwd: `${before.cwd}/${String(input['to'])}`,
      }),
    }),
  })
  const hooks: ToolHooks = {
    ...noHooks,
    preToolUse: async ({ input }) =>
      input['to'] === 'b' ? { ...silent, updatedInput: { ...input, writes: true } } : silent,
  }
  const run = runTools(
    [use('Move', { to: 'a' }), use('Move', { to: 'b' })],
    assistant(),
    makeOptions([move], { clock, hooks }),
  )
  const taking = results(run)
  await flush()
  await passTime(clock)
  await taking
  expect(run.context.cwd).toBe('/project/a/b')
})
