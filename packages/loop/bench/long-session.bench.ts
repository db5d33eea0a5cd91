// A session of 200 turns with five calls each, results of 1 KB: what a turn costs early and late, beyond writing the request.
import { EventEmitter } from 'node:events'
import { type ContentBlock, defineTool, type Model, type ModelEvent } from '@x/contract'
import { z } from 'zod'
import { runQuery } from '../src/index.ts'
import { median, queryOptions, usage } from './kit.ts'

const TURNS = 200
const CALLS = 5
const SESSIONS = 40
const EARLY = 10
const LIMIT_GROWTH = 1.5
const LIMIT_KEPT_KB = 256

const content = 'x'.repeat(1_024)
const tool = defineTool({
  name: 'Read',
  description: 'Reads a file.',
  inputSchema: z.strictObject({ file_path: z.string() }),
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  call: async () => ({ data: content }),
  mapResult: (output, toolUseId) => ({ type: 'tool_result', tool_use_id: toolUseId, content: output }),
})

/** Answers at once; notes when each request left. */
function createModel(times: number[]): Model {
  return {
    contextWindow: () => 1_000_000_000,
    async *stream() {
      const turn = times.push(performance.now())
      yield { type: 'message-start', id: `msg_${turn}`, model: 'bench', usage }
      const blocks = turn > TURNS ? [{ type: 'text' as const, text: 'Done.' }] : makeCalls(turn)
      for (const [index, block] of blocks.entries()) yield* blockEvents(index, block)
      yield { type: 'message-end', stopReason: turn > TURNS ? 'end_turn' : 'tool_use', usage }
    },
  }
}

function makeCalls(turn: number): ContentBlock[] {
  return Array.from({ length: CALLS }, (_, index) => ({
    type: 'tool_use',
    id: `toolu_${turn}_${index}`,
    name: 'Read',
    input: { file_path: `/project/${index}.ts` },
  }))
}

function* blockEvents(index: number, block: ContentBlock): Generator<ModelEvent> {
  yield { type: 'block-start', index, blockType: block.type }
  yield { type: 'block-end', index, block }
}

/** Runs one session; gives the microseconds between each request and the next, and the listeners left. */
async function runSession(): Promise<{ readonly turns: readonly number[]; readonly listeners: number }> {
  const times: number[] = []
  const controller = new AbortController()
  const query = runQuery({
    ...queryOptions(createModel(times), tool),
    controller,
  })
  for await (const record of query) if (record.type === 'result' && record.is_error) throw new Error('failed')
  const listeners = EventEmitter.getEventListeners(controller.signal, 'abort').length
  const turns = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) * 1_000)
  return { turns, listeners }
}

function heapKb(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1_024
}

function print(figure: Record<string, unknown>): void {
  console.log(JSON.stringify({ bench: 'long-session', ...figure }))
}

for (let warmUp = 0; warmUp < SESSIONS; warmUp += 1) await runSession()
const before = heapKb()
const early: number[] = []
const late: number[] = []
let listeners = 0
for (let session = 0; session < SESSIONS; session += 1) {
  const run = await runSession()
  early.push(...run.turns.slice(EARLY - 5, EARLY + 5))
  late.push(...run.turns.slice(-10))
  listeners = Math.max(listeners, run.listeners)
}
const kept = Math.round(heapKb() - before)
const [bare, ours] = [median(early), median(late)]
const ratio = ours / bare
print({
  figure: `turn ${TURNS} beside turn ${EARLY}, five calls of 1 KB (us)`,
  ours: Math.round(ours),
  bare: Math.round(bare),
  ratio,
  target: `<= ${LIMIT_GROWTH}`,
  ok: ratio <= LIMIT_GROWTH,
})
print({
  figure: `heap kept after ${SESSIONS} sessions (KB)`,
  ours: kept,
  target: `<= ${LIMIT_KEPT_KB}`,
  ok: kept <= LIMIT_KEPT_KB,
})
print({
  figure: 'listeners left on the controller',
  ours: listeners,
  bare: 0,
  target: '0',
  ok: listeners === 0,
})
