import { getEventListeners } from 'node:events'
import { AbortReason } from '@x/abort'
import { expect, it } from 'vitest'
import { type AgentsOptions, createAgents, createMemorySidechains } from '../src/index.ts'
import { collectGarbage } from './collect-garbage.ts'
import { fakeTasks } from './fake-tasks.ts'
import { call, define, fakeTool, mainContext, type Script, say, scriptedLoop, settle, task } from './kit.ts'

const agentCount = 200

/** Ways to end, one for each agent in turn. */
const ways = [
  'completes',
  'fails',
  'throws',
  'fails after a text',
  'limit',
  'budget',
  'aborted before',
  'aborted at once',
  'aborted at work',
  'aborted when done',
  'background',
  'background stopped',
  'background stopped by the user',
  'worktree failure',
  'set-up failure',
  'no tools',
  'deaf',
  'stop callback',
  'starts a child',
  'callbacks that throw',
] as const

type Way = (typeof ways)[number]

const big = 'x'.repeat(50_000)

const script: Script = async (request, messages) => {
  const way = wayOf(request.prompt, request.history)
  if (request.isReport) return 'report'
  await Promise.resolve()
  if (way === 'fails') return new Error('529')
  if (way === 'throws') throw new Error('the loop broke')
  if (messages.length === 1)
    return [
      say(`words ${big}`),
      call(way === 'starts a child' ? 'Agent' : 'Read', { ...task, prompt: 'completes' }),
    ]
  if (way === 'fails after a text') return new Error('529')
  if (way === 'limit' || way === 'budget') return [call('Read')]
  if (/aborted at work|background stopped/.test(way)) await new Promise(() => {})
  return 'done'
}

function wayOf(...messages: unknown[]): Way {
  const text = JSON.stringify(messages)
  return ways.findLast((way) => text.includes(`"${way}"`)) ?? 'completes'
}

/** Everything that can be counted beside the heap. */
function world() {
  const open = { servers: 0, sidechains: 0, worktrees: 0, shells: 0 }
  const tasks = fakeTasks()
  const session = new AbortController()
  const memory = createMemorySidechains(5)
  const options: AgentsOptions = {
    definitions: () => [
      define('general-purpose', { maxTurns: 4 }),
      define('limit', { maxTurns: 1 }),
      define('no tools', { tools: ['Nope'] }),
    ],
    env: {},
    tasks,
    signal: session.signal,
    // Longer than the test: a timer that is left behind is seen.
    abortGraceMs: 600_000,
    limits: { maxConcurrent: 1_000 },
    runAgent: (request) =>
      wayOf(request.prompt) === 'deaf' ? new Promise(() => {}) : scriptedLoop(script)(request),
    async setUp({ prompt }) {
      if (prompt === 'set-up failure') throw new Error('no server')
      open.servers += 1
      return { release: () => void (open.servers -= 1) }
    },
    sidechains: {
      async open(agentId, meta) {
        open.sidechains += 1
        const sidechain = await memory.open(agentId, meta)
        return {
          append: (messages) => sidechain.append(messages),
          async close(end) {
            open.sidechains -= 1
            await sidechain.close(end)
          },
        }
      },
      find: (id) => memory.find(id),
    },
    worktrees: {
      async create({ name }) {
        if (isFailing) return { ok: false, message: 'no repository' }
        open.worktrees += 1
        return { ok: true, worktree: { path: `/t/${name}`, branch: name, root: '/' } }
      },
      async finish() {
        open.worktrees -= 1
        return { kept: false }
      },
    },
    onStart: ({ prompt }) => {
      if (prompt === 'callbacks that throw') throw new Error('broken')
      return undefined
    },
    onStop: ({ agent, isActive }) =>
      agent.prompt === 'stop callback' && !isActive
        ? { context: [], notices: [], blockingError: 'again' }
        : undefined,
  }
  let isFailing = false
  return { open, tasks, session, options, fail: (failing: boolean) => (isFailing = failing) }
}

async function endOne(made: ReturnType<typeof world>, agents: ReturnType<typeof createAgents>, way: Way) {
  const controller = new AbortController()
  const read = fakeTool('Read', () => void (way === 'aborted at work' && abortSoon(controller)))
  const agent = fakeTool('Agent', (context) =>
    agents.run({ ...task, prompt: 'completes', context }).then(({ status }) => status),
  )
  const context = mainContext({ abortController: controller, tools: [read, agent] })
  const asked = {
    ...task,
    prompt: way,
    context,
    isolation: 'worktree' as const,
    isBackground: way.startsWith('background'),
    ...((way === 'limit' || way === 'no tools') && { type: way }),
  }
  made.fail(way === 'worktree failure')
  if (way === 'aborted before') controller.abort(new AbortReason('user-cancel'))
  const running = agents.start(asked).catch((error: unknown) => error)
  made.fail(false)
  if (way === 'aborted at once') controller.abort(new AbortReason('user-cancel'))
  if (way === 'deaf') abortSoon(controller)
  const output = await running
  if (way === 'aborted when done') controller.abort(new AbortReason('user-cancel'))
  await endTask(made, way, output)
  expect(getEventListeners(controller.signal, 'abort')).toEqual([])
}

function abortSoon(controller: AbortController): void {
  setImmediate(() => controller.abort(new AbortReason('user-cancel')))
}

async function endTask({ tasks }: ReturnType<typeof world>, way: Way, output: unknown) {
  if (typeof output !== 'object' || output === null || !('taskId' in output)) return
  const id = String(output.taskId)
  await settle(3)
  if (way.includes('stopped')) await tasks.get(id)?.task.stop({ isByUser: way.endsWith('user') })
  await tasks.endOf(id)
}

function handles(): readonly string[] {
  return process
    .getActiveResourcesInfo()
    .filter((name) => name === 'Timeout')
    .toSorted()
}

it(`${agentCount} agents that end in every way leave no listener, timer, server, transcript, worktree, task or name`, async () => {
  const made = world()
  const agents = createAgents(made.options)
  const timers = handles()
  const poor = createAgents({ ...made.options, limitsPerAgent: { maxCalls: 1 } })
  const hasty = createAgents({ ...made.options, abortGraceMs: 5 })
  for (let index = 0; index < agentCount; index += 1) {
    const way = ways[index % ways.length]!
    await endOne(made, way === 'budget' ? poor : way === 'deaf' ? hasty : agents, way)
  }
  await settle()
  // A run that never ends keeps the worktree it may still write to; all else of it is gone.
  const deaf = agentCount / ways.length
  expect(made.open).toEqual({ servers: 0, sidechains: 0, worktrees: deaf, shells: 0 })
  expect(agents.running).toEqual([])
  expect(made.tasks.list().filter(({ end }) => end === undefined)).toEqual([])
  expect(Reflect.get(made.tasks, 'listeners')).toEqual(new Set())
  expect(getEventListeners(made.session.signal, 'abort').length).toBeLessThanOrEqual(3)
  expect(handles().length).toBeLessThanOrEqual(timers.length)
  await Promise.all([agents.close(), poor.close(), hasty.close()])
})

it('keeps the heap flat over a thousand agents that end', async () => {
  const made = world()
  // Without background tasks: the registry of the test remembers every task.
  const { tasks: _tasks, ...rest } = made.options
  const agents = createAgents({ ...rest, limits: { maxConcurrent: 10, maxAgents: 10_000 } })
  const ending = ways.filter((way) => !way.startsWith('background') && way !== 'deaf' && way !== 'budget')
  const round = async (count: number): Promise<number> => {
    for (let index = 0; index < count; index += 1) await endOne(made, agents, ending[index % ending.length]!)
    return collectGarbage()
  }
  // Until the code is warm.
  await round(1_000)
  const before = await round(100)
  const after = await round(1_000)
  // Each agent wrote 50 kB: a thousand kept ones would be 50 MB.
  expect(after - before).toBeLessThan(800_000)
})
