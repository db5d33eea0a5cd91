import type { ToolUseContext } from '@x/contract'
import { expect, test } from 'vitest'
import { createBatchToolExecutor, runTools, runToolUse } from '../src/index.ts'
import {
  assistant,
  collect,
  makeOptions,
  makeTool,
  passTime,
  results,
  safe,
  slowTool,
  textOf,
  use,
} from './harness.ts'
import { flush, VirtualClock } from './sim/virtual-clock.ts'

const message = assistant()

async function drive<Value>(clock: VirtualClock, work: Promise<Value>): Promise<Value> {
  await flush()
  await passTime(clock)
  return work
}

test('three reads, a command, two reads: three runs', async () => {
  const clock = new VirtualClock()
  const log: string[] = []
  const tools = [slowTool('Read', { clock, log }, safe), slowTool('Bash', { clock, log })]
  const blocks = [
    ...['a', 'b', 'c'].map((name) => use('Read', { name, ms: 10 })),
    use('Bash', { name: 'test', ms: 20 }),
    ...['d', 'e'].map((name) => use('Read', { name, ms: 10 })),
  ]
  const answers = await drive(clock, results(runTools(blocks, message, makeOptions(tools, { clock }))))
  expect(answers.map(textOf)).toEqual(['a done', 'b done', 'c done', 'test done', 'd done', 'e done'])
  expect(log).toEqual([
    '0 a enters',
    '0 b enters',
    '0 c enters',
    '10 a ends',
    '10 b ends',
    '10 c ends',
    '10 test enters',
    '30 test ends',
    '30 d enters',
    '30 e enters',
    '40 d ends',
    '40 e ends',
  ])
})

test('modifiers of a parallel run apply together, in call order, after it', async () => {
  const clock = new VirtualClock()
  const seen: string[] = []
  const move = async (
    { to, ms }: { readonly to?: unknown; readonly ms?: unknown },
    { cwd }: ToolUseContext,
  ) => {
    seen.push(cwd)
    await clock.sleep(Number(ms))
    return {
      data: to,
      contextModifier: (context: ToolUseContext) => {
        if (to === 'broken') throw new Error('broken')
        return { ...context, cwd: `${context.cwd}/${String(to)}` }
      },
    }
  }
  const tools = [makeTool('Look', { ...safe, call: move }), makeTool('Cd', { call: move })]
  const blocks = [
    use('Look', { to: 'a', ms: 20 }),
    use('Look', { to: 'broken', ms: 1 }),
    use('Look', { to: 'b', ms: 10 }),
    use('Cd', { to: 'c', ms: 0 }),
    use('Look', { to: 'd', ms: 0 }),
  ]
  const run = runTools(blocks, message, makeOptions(tools, { clock, maxConcurrency: 2 }))
  const answers = await drive(clock, results(run))
  expect(seen).toEqual(['/project', '/project', '/project', '/project/a/b', '/project/a/b/c'])
  expect(answers.every(({ cause }) => cause === 'ran')).toBe(true)
  expect(run.context.cwd).toBe('/project/a/b/c/d')
})

test('leaving the iteration early discards what is open', async () => {
  let signal: AbortSignal | undefined
  const tools = [
    makeTool('Read', safe),
    makeTool('Wait', {
      ...safe,
      call: (_input, context) => {
        signal = context.abortController.signal
        return new Promise(() => undefined)
      },
    }),
  ]
  const run = runTools([use('Read'), use('Wait')], message, makeOptions(tools))
  for await (const event of run) if (event.type === 'tool-result') break
  expect(signal?.reason).toMatchObject({ kind: 'streaming-fallback' })
})

test('a message without calls ends at once and settles', async () => {
  const run = runTools([], message, makeOptions([]))
  expect(await collect(run)).toEqual([])
  await run.settled
})

test('runToolUse gives progress, then the result, then nothing more', async () => {
  const tool = makeTool('Tell', {
    call: (_input, _context, { onProgress }) => {
      onProgress('half')
      return { data: 'all' }
    },
  })
  const events = await collect(runToolUse(use('Tell', {}, 'x'), message, makeOptions([tool])))
  expect(events.map(({ type }) => type)).toEqual(['tool-start', 'tool-progress', 'tool-end', 'tool-result'])
})

test('runTools can be interrupted, cancelled and disposed like the streaming executor', async () => {
  const tools = [
    makeTool('Sleep', { interruptBehavior: () => 'cancel', call: () => new Promise(() => undefined) }),
  ]
  const run = runTools([use('Sleep'), use('Sleep')], message, makeOptions(tools, { endGraceMs: 0 }))
  run.cancelQueued('no')
  run.interrupt()
  expect((await results(run)).map(({ cause }) => cause)).toEqual(['user-interrupted', 'not-started'])
  expect(run.hasEffects).toBe(false)
  await run[Symbol.asyncDispose]()
  expect(run.discard()).toEqual([])
})

test('behind the methods of the streaming executor nobody begins before all calls are there', async () => {
  const log: string[] = []
  const clock = new VirtualClock()
  const executor = createBatchToolExecutor(makeOptions([slowTool('Read', { clock, log }, safe)], { clock }))
  executor.addTool(use('Read', { name: 'a' }), message)
  executor.addTool(use('Read', {}), message, { inputError: 'cut off' })
  executor.interrupt()
  await flush()
  expect(log).toEqual([])
  expect([...executor.getCompletedResults()]).toEqual([])
  const answers = await drive(clock, results(executor.getRemainingResults()))
  expect(answers.map(({ cause }) => cause)).toEqual(['ran', 'invalid-input'])
})
