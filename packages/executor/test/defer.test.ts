import type { Authorize, PreToolUseOutcome, ToolHooks } from '@x/contract'
import { describe, expect, test } from 'vitest'
import { createBatchToolExecutor, createStreamingToolExecutor } from '../src/index.ts'
import { assistant, makeOptions, makeTool, results, use } from './harness.ts'

const silent = { context: [], notices: [] }
const deferring: Authorize = async ({ hook }) => ({
  behavior: 'deny',
  message: 'later',
  reason: { type: 'hook', detail: 'later' },
  isDeferral: hook?.behavior === 'defer',
})

/** Hooks that say what comes of a call once it is known whether it is the only one; and what else they were asked. */
function makeHooks(answer: (isOnly: boolean | undefined) => PreToolUseOutcome) {
  const seen: (boolean | string | undefined)[] = []
  const hooks: ToolHooks = {
    async preToolUse({ isOnlyCall }) {
      const isOnly = await isOnlyCall?.()
      seen.push(isOnly)
      return answer(isOnly)
    },
    postToolUse: async () => (seen.push('post'), silent),
    postToolUseFailure: async () => (seen.push('failure'), silent),
  }
  return { hooks, seen }
}

describe.each([
  ['streaming', createStreamingToolExecutor],
  ['batch', createBatchToolExecutor],
] as const)('%s: a call that is put off', (_, createExecutor) => {
  test('ends without having run, and no hook after a call hears of it', async () => {
    const ran: unknown[] = []
    const { hooks, seen } = makeHooks(() => ({
      context: ['lost'],
      notices: ['told'],
      verdict: { behavior: 'defer' },
    }))
    const tool = makeTool('A', { call: () => (ran.push('A'), { data: '' }) })
    const executor = createExecutor(makeOptions([tool], { hooks, authorize: deferring }))
    executor.addTool(use('A', {}, 'one'), assistant())
    const [event, ...others] = await results(executor.getRemainingResults())
    expect(event).toMatchObject({ toolUseId: 'one', cause: 'deferred', attached: [], notices: ['told'] })
    expect(event).not.toHaveProperty('denial')
    expect([others, ran, seen, executor.hasEffects]).toEqual([[], [], [true], false])
    await executor.settled
  })

  test('is denied where the permission check says no more than that', async () => {
    const { hooks } = makeHooks(() => ({ ...silent, verdict: { behavior: 'defer' } }))
    const authorize: Authorize = async () => ({
      behavior: 'deny',
      message: 'no',
      reason: { type: 'rule', detail: 'no' },
    })
    const executor = createExecutor(makeOptions([makeTool('A')], { hooks, authorize }))
    executor.addTool(use('A'), assistant())
    expect(await results(executor.getRemainingResults())).toMatchObject([{ cause: 'denied' }])
  })
})

describe('whether a call is the only one of its message', () => {
  const allowed = makeTool('A')

  test('is known with the second call at the latest, long before the end of the message', async () => {
    const { hooks, seen } = makeHooks(() => silent)
    const executor = createStreamingToolExecutor(makeOptions([allowed], { hooks }))
    executor.addTool(use('A'), assistant())
    await flush()
    expect(seen).toEqual([])
    executor.addTool(use('Gone'), assistant())
    await flush()
    expect(seen).toEqual([false, 'post'])
    executor.discard()
  })

  test('is known with the end of the message', async () => {
    const { hooks, seen } = makeHooks(() => silent)
    const executor = createStreamingToolExecutor(makeOptions([allowed], { hooks }))
    executor.addTool(use('A'), assistant())
    await flush()
    expect(seen).toEqual([])
    await results(executor.getRemainingResults())
    expect(seen).toEqual([true, 'post'])
  })

  test.each(['abort', 'interrupt', 'discard'] as const)('is no longer waited for after %s', async (how) => {
    const { hooks, seen } = makeHooks(() => ({ ...silent, verdict: { behavior: 'defer' } }))
    const options = makeOptions([makeTool('A', { interruptBehavior: () => 'cancel' })], {
      hooks,
      authorize: deferring,
    })
    const executor = createStreamingToolExecutor(options)
    executor.addTool(use('A'), assistant())
    await flush()
    if (how === 'abort') options.query.abort()
    else executor[how]()
    await flush()
    expect(seen).toEqual([false])
    const rest = await results(executor.getRemainingResults())
    expect(rest.filter(({ cause }) => cause === 'deferred')).toEqual([])
    await executor.settled
  })
})

/** Lets everything happen that can. */
const flush = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
