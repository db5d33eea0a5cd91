// A message whose five calls arrive on the way: when the next request leaves, with both engines and beside the least code.
import { setTimeout as wait } from 'node:timers/promises'
import { type ContentBlock, defineTool, type Model } from '@x/contract'
import { z } from 'zod'
import { runQuery } from '../src/index.ts'
import { median, queryOptions, usage } from './kit.ts'

// Half the times of the promise: a message of 1.5 s, calls of 0.5 s that arrive every 0.2 s.
const MESSAGE_MS = 750
const CALL_MS = 250
const EVERY_MS = 100
const CALLS = 5
const RUNS = 7
const LIMIT_STREAMING = 1.02
const LIMIT_START_MS = 1

/** What one run notes, in milliseconds: when each block ended and each call began, and when the next request left. */
interface Notes {
  readonly blocks: number[]
  readonly starts: number[]
  next: number
}

function createTool(notes: Notes) {
  return defineTool({
    name: 'Read',
    description: 'Takes its time.',
    inputSchema: z.strictObject({ index: z.number() }),
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    call: async () => {
      notes.starts.push(performance.now())
      await wait(CALL_MS)
      return { data: 'done' }
    },
    mapResult: (output, toolUseId) => ({ type: 'tool_result', tool_use_id: toolUseId, content: output }),
  })
}

function createModel(notes: Notes): Model {
  let requests = 0
  return {
    contextWindow: () => 200_000,
    async *stream() {
      requests += 1
      if (requests > 1) notes.next = performance.now()
      yield { type: 'message-start', id: `msg_${requests}`, model: 'bench', usage }
      if (requests === 1) {
        const begun = performance.now()
        for (let index = 0; index < CALLS; index += 1) {
          await until(begun + EVERY_MS * (index + 1))
          const block: ContentBlock = {
            type: 'tool_use',
            id: `toolu_${index}`,
            name: 'Read',
            input: { index },
          }
          notes.blocks.push(performance.now())
          yield { type: 'block-end', index, block }
        }
        await until(begun + MESSAGE_MS)
      }
      yield { type: 'message-end', stopReason: requests > 1 ? 'end_turn' : 'tool_use', usage }
    },
  }
}

async function until(time: number): Promise<void> {
  await wait(Math.max(0, time - performance.now()))
}

/** Milliseconds until the next request leaves. */
async function runOurs(
  engine: 'streaming' | 'batch',
): Promise<{ readonly ms: number; readonly startMs: number }> {
  const notes: Notes = { blocks: [], starts: [], next: 0 }
  const tool = createTool(notes)
  const begun = performance.now()
  const query = runQuery({
    ...queryOptions(createModel(notes), tool),
    controller: new AbortController(),
    engine,
  })
  for await (const record of query) if (record.type === 'result' && record.is_error) throw new Error('failed')
  const delays = notes.starts.map((start, index) => start - (notes.blocks[index] ?? 0))
  return { ms: notes.next - begun, startMs: Math.max(...delays) }
}

/** The ideal: timers alone. */
async function runBare(): Promise<number> {
  const begun = performance.now()
  const calls: Promise<unknown>[] = []
  for (let index = 0; index < CALLS; index += 1) {
    await until(begun + EVERY_MS * (index + 1))
    calls.push(wait(CALL_MS))
  }
  await until(begun + MESSAGE_MS)
  await Promise.all(calls)
  return performance.now() - begun
}

function print(figure: Record<string, unknown>): void {
  console.log(JSON.stringify({ bench: 'overlap', ...figure }))
}

await runOurs('streaming')
const runs: Record<'streaming' | 'batch' | 'bare' | 'start', number[]> = {
  streaming: [],
  batch: [],
  bare: [],
  start: [],
}
for (let run = 0; run < RUNS; run += 1) {
  const streaming = await runOurs('streaming')
  runs.streaming.push(streaming.ms)
  runs.start.push(streaming.startMs)
  runs.batch.push((await runOurs('batch')).ms)
  runs.bare.push(await runBare())
}
const bare = median(runs.bare)
const streaming = median(runs.streaming) / bare
print({
  figure: 'next request, streaming engine (ms)',
  ours: Math.round(median(runs.streaming)),
  bare: Math.round(bare),
  ratio: streaming,
  target: `<= ${LIMIT_STREAMING}`,
  ok: streaming <= LIMIT_STREAMING,
})
print({
  figure: 'next request, batch engine (ms)',
  ours: Math.round(median(runs.batch)),
  bare: Math.round(bare),
  ratio: median(runs.batch) / bare,
})
const start = median(runs.start)
print({
  figure: 'slowest start of a call after its block (ms)',
  ours: start,
  target: `<= ${LIMIT_START_MS}`,
  ok: start <= LIMIT_START_MS,
})
