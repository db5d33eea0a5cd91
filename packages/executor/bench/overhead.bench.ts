import { type AssistantMessage, defineTool, type ToolUseBlock } from '@x/contract'
import { z } from 'zod'
import { createStreamingToolExecutor, type ExecutorOptions } from '../src/index.ts'

const COUNTS = [10, 100, 1_000, 10_000]
const CALLS_PER_FIGURE = 40_000
const LIMIT_US = 60
const LIMIT_GROWTH = 1.3

const tool = defineTool({
  name: 'Read',
  description: 'Reads a file.',
  inputSchema: z.strictObject({
    file_path: z.string(),
    offset: z.number().optional(),
    limit: z.number().optional(),
  }),
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  call: async ({ file_path: path }) => ({ data: path }),
  mapResult: (output, toolUseId) => ({ type: 'tool_result', tool_use_id: toolUseId, content: output }),
})

const silent = { context: [], notices: [] }

function makeOptions(): ExecutorOptions {
  return {
    query: new AbortController(),
    context: {
      cwd: '/project',
      messages: [],
      options: { tools: [tool], model: 'bench', isNonInteractive: true, projectDir: '/project' },
      chain: { id: 'chain', depth: 0 },
      files: new Map(),
      getState: (key) => key.initial(),
      setState: () => undefined,
    },
    authorize: async () => ({ behavior: 'allow', reason: { type: 'mode', detail: 'bench' } }),
    hooks: {
      preToolUse: async () => silent,
      postToolUse: async () => silent,
      postToolUseFailure: async () => silent,
    },
  }
}

function makeBlocks(count: number): ToolUseBlock[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'tool_use',
    id: `toolu_${index}`,
    name: 'Read',
    input: { file_path: `/project/src/file-${index}.ts`, offset: 1, limit: 100 },
  }))
}

async function runOurs(blocks: readonly ToolUseBlock[], message: AssistantMessage): Promise<void> {
  const executor = createStreamingToolExecutor(makeOptions())
  for (const block of blocks) executor.addTool(block, message)
  let results = 0
  for await (const event of executor.getRemainingResults()) if (event.type === 'tool-result') results++
  if (results !== blocks.length) throw new Error(`${results} results for ${blocks.length} calls`)
  await executor.settled
}

/** The least code: parse, ask, call, one after the other. */
async function runBare(blocks: readonly ToolUseBlock[], message: AssistantMessage): Promise<void> {
  const { context, authorize, hooks, query } = makeOptions()
  let results = 0
  for (const block of blocks) {
    const input = tool.inputSchema.parse(block.input)
    const callContext = { ...context, abortController: query, toolUseId: block.id }
    const view = { tool, toolUseId: block.id, input, context: callContext, signal: query.signal }
    await hooks?.preToolUse(view)
    const decision = await authorize(view)
    if (decision.behavior !== 'allow') continue
    const { data } = await tool.call(
      input,
      callContext,
      async () => decision,
      message,
      () => undefined,
    )
    await hooks?.postToolUse({ ...view, output: data, durationMs: 0 })
    if (tool.mapResult(data, block.id).tool_use_id === block.id) results++
  }
  if (results !== blocks.length) throw new Error(`${results} results for ${blocks.length} calls`)
}

/** Microseconds of processor time per call; the median of several rounds. */
async function measure(run: typeof runOurs, count: number): Promise<number> {
  const blocks = makeBlocks(count)
  const message: AssistantMessage = { role: 'assistant', content: blocks }
  const rounds = 9
  const perRound = Math.max(1, Math.round(CALLS_PER_FIGURE / rounds / count))
  const figures: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = process.cpuUsage()
    for (let index = 0; index < perRound; index++) await run(blocks, message)
    const { user, system } = process.cpuUsage(start)
    figures.push((user + system) / (perRound * count))
  }
  return figures.sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0
}

for (const count of [100, 1_000]) {
  await measure(runOurs, count)
  await measure(runBare, count)
}
const perCall = new Map<number, number>()
for (const count of COUNTS) {
  const ours = await measure(runOurs, count)
  const bare = await measure(runBare, count)
  perCall.set(count, ours)
  report(`us-per-call-${count}`, { ours, bare, target: `<= ${LIMIT_US}`, ok: ours <= LIMIT_US })
}
for (const [few, many] of [
  [100, 1_000],
  [10, 10_000],
] as const) {
  const [bare, ours] = [perCall.get(few) ?? 0, perCall.get(many) ?? 0]
  const target = `ratio <= ${LIMIT_GROWTH}`
  report(`growth-${few}-to-${many}`, { ours, bare, target, ok: ours / bare <= LIMIT_GROWTH })
}

function report(
  figure: string,
  { ours, bare, target, ok }: { ours: number; bare: number; target: string; ok: boolean },
): void {
  const round = (value: number): number => Number(value.toFixed(2))
  console.log(
    JSON.stringify({
      bench: 'executor-overhead',
      figure,
      ours: round(ours),
      bare: round(bare),
      ratio: round(ours / bare),
      target,
      ok,
    }),
  )
}
