// What an agent costs beside its loop: one start and end, 200 side by side, and what one that waits holds in memory.
import { createAbortController } from '@x/abort'
import { createToolUseContext, defineTool, type RunAgent } from '@x/contract'
import { z } from 'zod'
import { type AgentCall, builtInAgents, createAgents, createMemorySidechains } from '../src/index.ts'

const STARTS = 2_000
const SIDE_BY_SIDE = 200
const IDLE = 1_000
const ROUNDS = 7
const START_LIMIT_US = 200
const IDLE_LIMIT_KB = 32

const tools = Array.from({ length: 20 }, (_value, index) =>
  defineTool({
    name: `Tool${index}`,
    description: 'does something',
    inputSchema: z.strictObject({}),
    call: async () => ({ data: 'done' }),
    mapResult: (data, id) => ({ type: 'tool_result', tool_use_id: id, content: data }),
  }),
)

const runAgent: RunAgent = async ({ history, prompt }) => ({
  reason: 'completed',
  messages: [...history, ...prompt, { role: 'assistant', content: 'done' }],
})

function make(run: RunAgent) {
  return createAgents({
    definitions: () => builtInAgents(),
    runAgent: run,
    env: {},
    sidechains: createMemorySidechains(1),
    limits: { maxConcurrent: 10_000, maxAgents: 1_000_000 },
  })
}

function call(): AgentCall {
  const abortController = createAbortController()
  const context = createToolUseContext({ cwd: '/project', options: { tools }, abortController })
  return { description: 'work', prompt: 'Work.', context }
}

async function startInTurn(): Promise<number> {
  const agents = make(runAgent)
  const startedAt = performance.now()
  for (let count = 0; count < STARTS; count += 1) await agents.run(call())
  return ((performance.now() - startedAt) * 1_000) / STARTS
}

/** The same calls of the loop function with nothing around them. */
async function runBare(): Promise<number> {
  const request = { history: [], prompt: [{ role: 'user', content: 'Work.' }] }
  const startedAt = performance.now()
  for (let count = 0; count < STARTS; count += 1) {
    call()
    // The measured function reads these two fields alone.
    await runAgent(request as never)
  }
  return ((performance.now() - startedAt) * 1_000) / STARTS
}

async function startSideBySide(): Promise<number> {
  const agents = make(async (request) => {
    await new Promise((resolve) => setImmediate(resolve))
    return runAgent(request)
  })
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, () => agents.run(call())))
  return performance.now() - startedAt
}

/** An agent in the middle of its run that waits for its model. */
async function holdIdle(): Promise<number> {
  const { promise: open, resolve } = Promise.withResolvers<void>()
  const agents = make(async (request) => {
    await open
    return runAgent(request)
  })
  const calls = Array.from({ length: IDLE }, call)
  const before = await heap()
  const all = calls.map((one) => agents.run(one))
  await new Promise((done) => setImmediate(done))
  const after = await heap()
  resolve()
  await Promise.all(all)
  return (after - before) / IDLE / 1_024
}

async function heap(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    await new Promise((done) => setImmediate(done))
    globalThis.gc?.()
  }
  return process.memoryUsage().heapUsed
}

async function median(measure: () => Promise<number>): Promise<number> {
  const values: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) values.push(await measure())
  return values.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0
}

function print(figure: Record<string, unknown>): void {
  console.log(JSON.stringify({ bench: 'subagent', ...figure }))
}

const bare = await median(runBare)
const start = await median(startInTurn)
print({
  figure: 'one agent, start to end (us)',
  ours: start,
  bare,
  target: `<= ${START_LIMIT_US}`,
  ok: start <= START_LIMIT_US,
})
print({ figure: `${SIDE_BY_SIDE} agents side by side (ms)`, ours: await median(startSideBySide) })
const idle = await median(holdIdle)
print({
  figure: 'memory of an agent that waits (KiB)',
  ours: idle,
  target: `<= ${IDLE_LIMIT_KB}`,
  ok: idle <= IDLE_LIMIT_KB,
})
