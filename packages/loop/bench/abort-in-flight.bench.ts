// A hundred calls in flight when the user aborts: when all are answered, and whether the next request may be sent.
import { setTimeout as wait } from 'node:timers/promises'
import { AbortReason } from '@x/abort'
import { type ContentBlock, checkHistory, defineTool, type Message, type Model, type Tool } from '@x/contract'
import { z } from 'zod'
import { runQuery } from '../src/index.ts'
import { median, queryOptions, usage } from './kit.ts'

const CALLS = 100
const RUNS = 15
const DEAF_MS = 3_000
const LIMIT_OBEDIENT_MS = 6
const LIMIT_DEAF_MS = 20

/** A call's work; obedient work ends with the signal, deaf work does not hear it. */
type Work = (signal: AbortSignal) => Promise<unknown>
const obedient: Work = (signal) => wait(DEAF_MS, undefined, { signal })
const deaf: Work = () => wait(DEAF_MS, undefined, { ref: false })

/** What one abort came to. */
interface Answered {
  /** Milliseconds from the abort to the last result. */
  readonly ms: number
  readonly results: number
  /** What is wrong with the history that the next request would hold. */
  readonly faults: number
}

function createTool(work: Work, onStart: () => void): Tool {
  return defineTool({
    name: 'Work',
    description: 'Takes its time.',
    inputSchema: z.strictObject({}),
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    async call(_input, { abortController: { signal } }) {
      onStart()
      await work(signal)
      return { data: 'done' }
    },
    mapResult: (output, toolUseId) => ({ type: 'tool_result', tool_use_id: toolUseId, content: output }),
  })
}

const model: Model = {
  contextWindow: () => 200_000,
  async *stream() {
    yield { type: 'message-start', id: 'msg_1', model: 'bench', usage }
    for (let index = 0; index < CALLS; index += 1) {
      const block: ContentBlock = { type: 'tool_use', id: `toolu_${index}`, name: 'Work', input: {} }
      yield { type: 'block-end', index, block }
    }
    yield { type: 'message-end', stopReason: 'tool_use', usage }
  },
}

async function runOurs(work: Work): Promise<Answered> {
  const controller = new AbortController()
  let abortedAt = 0
  let started = 0
  const tool = createTool(work, () => {
    started += 1
    if (started < CALLS) return
    setTimeout(() => {
      abortedAt = performance.now()
      controller.abort(new AbortReason('user-cancel'))
    }, 20)
  })
  const logged: Message[] = []
  const query = runQuery({
    ...queryOptions(model, tool),
    history: { append: async (messages) => void logged.push(...messages) },
    controller,
    maxConcurrency: CALLS,
  })
  let results = 0
  let ms = Infinity
  for await (const record of query) {
    if (record.type === 'user' && JSON.stringify(record.message.content).includes('tool_result')) results += 1
    // All that the next request holds is logged before the result is told.
    if (record.type === 'result') ms = performance.now() - abortedAt
  }
  return { ms, results, faults: checkHistory(logged).length }
}

/** The least that a program does: a hundred waits that hear the signal. */
async function runBare(): Promise<number> {
  const controller = new AbortController()
  const calls = Array.from({ length: CALLS }, () => obedient(controller.signal))
  const all = Promise.allSettled(calls)
  await wait(20)
  const abortedAt = performance.now()
  controller.abort()
  await all
  return performance.now() - abortedAt
}

async function measure<Value>(run: () => Promise<Value>, times: number): Promise<readonly Value[]> {
  const all: Value[] = []
  for (let time = 0; time < times; time += 1) all.push(await run())
  return all
}

function print(figure: Record<string, unknown>): void {
  console.log(JSON.stringify({ bench: 'abort', ...figure }))
}

function printRuns(
  name: string,
  runs: readonly Answered[],
  limits: { readonly bare: number; readonly ms: number },
): void {
  const ours = median(runs.map(({ ms }) => ms))
  print({
    figure: `abort to ${CALLS} answered calls, ${name} tools (ms)`,
    ours,
    bare: limits.bare,
    ratio: ours / limits.bare,
    target: `<= ${limits.ms}`,
    ok: ours <= limits.ms,
  })
  const answered = Math.min(...runs.map(({ results }) => results))
  const faults = Math.max(...runs.map((run) => run.faults))
  print({
    figure: `answered calls, ${name} tools; faults of the next request`,
    ours: answered,
    faults,
    target: `${CALLS}, 0`,
    ok: answered === CALLS && faults === 0,
  })
}

await measure(() => runOurs(obedient), 5)
await measure(runBare, 5)
const bare = median(await measure(runBare, RUNS))
printRuns('obedient', await measure(() => runOurs(obedient), RUNS), { bare, ms: LIMIT_OBEDIENT_MS })
printRuns('deaf', await measure(() => runOurs(deaf), RUNS), { bare, ms: LIMIT_DEAF_MS })
