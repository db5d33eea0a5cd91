import { AbortReason } from '@x/abort'
import { type AgentRequest, callTool, checkHistory, repairHistory } from '@x/contract'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AgentReport, type AgentsOptions, createAgents, createMemorySidechains } from '../src/index.ts'
import { fakeTasks } from './fake-tasks.ts'
import { call, define, fakeTool, mainContext, type Script, say, scriptedLoop, setUp, task } from './kit.ts'

/** Says, works and says again, in ten turns; each step waits for the scheduler. */
function steps(next: () => Promise<void>): Script {
  return async (request, messages) => {
    await next()
    if (request.isReport) return 'report'
    if (messages.length === 1) return [say('first words'), call('Work')]
    return messages.length < 19 ? [call('Work')] : 'the end'
  }
}

/** An agent with every part that can be waited for, at each of which it may be stopped. */
async function stopAt(point: number, where: 'call' | 'task' | 'session') {
  let count = 0
  const controller = new AbortController()
  const session = new AbortController()
  const tasks = fakeTasks()
  const reports: AgentReport[] = []
  let stopTask: (() => void) | undefined
  let stopped = false
  const next = async (): Promise<void> => {
    count += 1
    if (count === point) {
      stopped = true
      if (where === 'call') controller.abort(new AbortReason('user-cancel'))
      else if (where === 'session') session.abort(new AbortReason('host-stopped'))
      else stopTask?.()
    }
    await Promise.resolve()
  }
  const memory = createMemorySidechains()
  const options: AgentsOptions = {
    definitions: () => [define('general-purpose')],
    runAgent: scriptedLoop(steps(next)),
    env: {},
    tasks,
    signal: session.signal,
    worktrees: {
      create: async ({ name }) => (
        await next(), { ok: true, worktree: { path: `/t/${name}`, branch: name, root: '/' } }
      ),
      finish: async () => (await next(), { kept: true }),
      guard: async () => (await next(), undefined),
    },
    sidechains: {
      async open(agentId, meta) {
        await next()
        const sidechain = await memory.open(agentId, meta)
        return {
          append: async (messages) => {
            await next()
            await sidechain.append(messages)
          },
          close: async (end) => {
            await next()
            await sidechain.close(end)
          },
        }
      },
      find: (id) => memory.find(id),
    },
    setUp: async () => (await next(), { release: next }),
    onStart: async () => (await next(), undefined),
    onStop: async () => (await next(), undefined),
    onEnd: (report) => reports.push(report),
  }
  const agents = createAgents(options)
  const context = mainContext({ abortController: controller, tools: [fakeTool('Work', next)] })
  const asked = { ...task, isolation: 'worktree' as const, context }
  let report: AgentReport | undefined
  if (where === 'task') {
    const output = await agents.start({ ...asked, isBackground: true })
    if (output.status !== 'async_launched') throw new Error('not in the background')
    stopTask = () => void tasks.get(output.taskId)?.task.stop()
    if (stopped) stopTask()
    await tasks.endOf(output.taskId)
    report = reports[0]
  } else {
    report = await agents.run(asked)
  }
  const stored = report === undefined ? undefined : await memory.find(report.agentId)
  return { report, stopped, count, agents, messages: stored?.messages ?? [], end: tasks.list()[0]?.end }
}

describe('an agent that is stopped', () => {
  it.each(['call', 'session'] as const)(
    'by its %s at any of its points has a typed result and never completed, and its transcript can be gone on with',
    async (where) => {
      const whole = await stopAt(Infinity, where)
      expect(whole.report?.status).toBe('completed')
      expect(whole.count).toBeGreaterThanOrEqual(50)
      for (let point = 1; point <= whole.count; point += 1) {
        const { report, agents, messages } = await stopAt(point, where)
        expect([point, report?.status]).toEqual([point, 'interrupted'])
        expect(agents.running).toEqual([])
        const mended = repairHistory(messages).messages
        expect(checkHistory(mended)).toEqual([])
        if (messages.length > 1) expect(report?.lastText).not.toBe('')
      }
    },
  )

  it('as a task at any of its points is told as killed', async () => {
    const whole = await stopAt(Infinity, 'task')
    for (let point = 1; point <= whole.count; point += 1) {
      const { report, stopped, end } = await stopAt(point, 'task')
      // Before the task is there, nobody can stop it as one; the test then does so at once.
      expect([point, stopped, report?.status, end?.status]).toEqual([point, true, 'interrupted', 'killed'])
    }
  })

  it('in any order of what it waits for and the stop, 50 and more points, ends typed and leaves nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.nat({ max: 60 }), async (scheduler, point) => {
        let count = 0
        const controller = new AbortController()
        const next = async (): Promise<void> => {
          count += 1
          if (count === point) controller.abort(new AbortReason('user-cancel'))
          await scheduler.schedule(Promise.resolve())
        }
        const agents = createAgents({
          definitions: () => [define('general-purpose')],
          runAgent: scriptedLoop(steps(next)),
          env: {},
          abortGraceMs: 50,
          setUp: async () => (await next(), { release: next }),
        })
        const tools = [fakeTool('Work', next)]
        const running = Promise.all(
          Array.from({ length: 3 }, () =>
            agents.run({ ...task, context: mainContext({ abortController: controller, tools }) }),
          ),
        )
        const reports = await scheduler.waitFor(running)
        const isStopped = controller.signal.aborted
        expect(agents.running).toEqual([])
        for (const { status } of reports) {
          if (!isStopped) expect(status).toBe('completed')
          else expect(['interrupted', 'completed']).toContain(status)
        }
        if (isStopped) expect(reports.some(({ status }) => status === 'interrupted')).toBe(true)
      }),
      { numRuns: 100 },
    )
  })
})

describe('SU-08: agents that start agents', () => {
  function startMany(counts: number[]): Script {
    return (request: AgentRequest, messages) => {
      if (messages.length === 1) counts.push(request.context.chain.depth)
      return messages.length < 6 ? Array.from({ length: 10 }, () => call('Agent', task)) : 'done'
    }
  }

  it('are bounded in depth and number, and come to an end', async () => {
    const counts: number[] = []
    let most = 0
    const { agentTool, agents } = setUp(startMany(counts), {
      limits: { maxAgents: 200 },
      onEvent: () => {
        most = Math.max(most, agents.running.length)
      },
    })
    const { data } = await callTool(agentTool, task, mainContext({ tools: [agentTool] }))
    expect(data.status).toBe('completed')
    expect(Math.max(...counts)).toBe(3)
    expect(counts.length).toBeGreaterThan(20)
    expect(counts.length).toBeLessThanOrEqual(200)
    expect(most).toBeLessThanOrEqual(20)
    expect(agents.running).toEqual([])
  })

  it('end all, in less than three seconds, when the root is aborted', async () => {
    const counts: number[] = []
    const controller = new AbortController()
    const reason = new AbortReason('user-cancel')
    const script: Script = async (request, messages) => {
      if (messages.length === 1) counts.push(request.context.chain.depth)
      // A model takes its time; a test that asks anew at once would let nothing else run.
      await new Promise((resolve) => setImmediate(resolve))
      if (request.context.chain.depth < 3) return Array.from({ length: 10 }, () => call('Agent', task))
      if (counts.length >= 20) controller.abort(reason)
      return new Promise(() => {})
    }
    const { agentTool, agents } = setUp(script, {
      limits: { maxConcurrent: 30 },
      // Nobody's patience is needed: with it the test would run out of time.
      abortGraceMs: 600_000,
      reportMs: 600_000,
    })
    await expect(
      callTool(agentTool, task, mainContext({ tools: [agentTool], abortController: controller })),
    ).rejects.toBe(reason)
    await agents.close()
    expect(agents.running).toEqual([])
  })
})
