import { callTool, type JsonObject } from '@x/contract'
import { describe, expect, it } from 'vitest'
import type { AgentsOptions, AgentWorktree, Worktrees } from '../src/index.ts'
import { fakeTasks } from './fake-tasks.ts'
import {
  call,
  ended,
  fakeTool,
  gate,
  mainContext,
  type Script,
  say,
  settle,
  setUp,
  task,
  textsOf,
} from './kit.ts'

/** Worktrees in memory; `isDirty` says which hold something at the end. */
function fakeWorktrees(more: Partial<Worktrees> & { isDirty?: boolean } = {}) {
  const { isDirty = false, ...rest } = more
  const made: AgentWorktree[] = []
  const finished: string[] = []
  const worktrees: Worktrees = {
    async create({ name, previous }) {
      const worktree = previous ?? { path: `/trees/${name}`, branch: `worktree-${name}`, root: '/project' }
      made.push(worktree)
      return { ok: true, worktree }
    },
    async finish({ path }) {
      finished.push(path)
      return { kept: isDirty }
    },
    guard: (worktree, { input }) =>
      pathIn(input, worktree).startsWith(worktree.path)
        ? undefined
        : `${pathIn(input, worktree)} lies outside of the worktree ${worktree.path}; use a path in it.`,
    ...rest,
  }
  return { worktrees, made, finished }
}

function pathIn({ path }: JsonObject, worktree: AgentWorktree): string {
  return typeof path === 'string' ? path : worktree.path
}

async function run(script: Script, more: Partial<AgentsOptions> = {}, context = mainContext()) {
  const { agentTool } = setUp(script, more)
  const { data, result } = await callTool(agentTool, { ...task, isolation: 'worktree' }, context)
  return { data, text: textsOf([{ role: 'user', content: [result] }]) }
}

describe('an isolated agent', () => {
  it('works in its own checkout: folder, project folder and prompt', async () => {
    const { worktrees, made } = fakeWorktrees()
    const { data } = await run(
      ({ context, system }) =>
        [context.cwd, context.options.projectDir, textsOf([{ role: 'user', content: [...system] }])].join(
          '|',
        ),
      { worktrees },
    )
    const [{ path } = { path: '' }] = made
    expect(path).toBe(`/trees/agent-${data.agentId}`)
    expect(ended(data).report.lastText).toContain(`${path}|${path}|`)
    expect(ended(data).report.lastText).toContain(`Working folder: ${path}`)
  })

  it('has commands in the environment that its worktree wants; others keep that of the session', async () => {
    const { worktrees } = fakeWorktrees({ environment: ({ GIT_DIR: _leads, ...kept }) => kept })
    const env = { GIT_DIR: '/project/.git', HOME: '/h' }
    const seen: unknown[] = []
    const { agentTool } = setUp(({ context }) => `${seen.push(context.options.env)}`, { worktrees })
    const context = mainContext({ options: { ...mainContext().options, env } })
    await callTool(agentTool, { ...task, isolation: 'worktree' }, context)
    await callTool(agentTool, task, context)
    expect(seen).toEqual([{ HOME: '/h' }, env])
  })

  it('example 29: without a change its worktree is gone', async () => {
    const { worktrees, finished, made } = fakeWorktrees()
    const { data, text } = await run(() => 'nothing to do', { worktrees })
    expect(finished).toEqual([made[0]!.path])
    expect(data).not.toHaveProperty('worktreePath')
    expect(ended(data).report.worktree).toMatchObject({ kept: false })
    expect(text).toContain('worktree: removed, it held no changes')
  })

  it('example 30: with a change its worktree stays, path and branch are in the result', async () => {
    const { worktrees, made } = fakeWorktrees({ isDirty: true })
    const { data, text } = await run(() => 'committed', { worktrees })
    const [{ path, branch } = { path: '', branch: '' }] = made
    expect(data).toMatchObject({ worktreePath: path, worktreeBranch: branch })
    expect(text).toContain(`worktree: ${path} (branch ${branch}), kept`)
  })

  it('example 31: a call that leaves the worktree is a tool error that names it, whatever a hook made of the input', async () => {
    const ran: string[] = []
    const tools = [fakeTool('Write', (_context, input) => void ran.push(JSON.stringify(input)))]
    const heard: string[] = []
    const { worktrees, made } = fakeWorktrees()
    await run(
      (_request, messages) => {
        if (messages.length > 1) heard.push(textsOf(messages.slice(-1)))
        return messages.length === 1
          ? [call('Write', { path: '/project/a.ts' }), call('Write', { path: `${made[0]!.path}/a.ts` })]
          : 'done'
      },
      { worktrees },
      mainContext({ tools }),
    )
    expect(heard[0]).toContain(`/project/a.ts lies outside of the worktree ${made[0]!.path}`)
    expect(ran).toEqual([JSON.stringify({ path: `${made[0]!.path}/a.ts` })])
  })

  it('is guarded at the call itself too', async () => {
    const { worktrees } = fakeWorktrees()
    let refusal: unknown
    await run(
      async (request) => {
        const [write] = request.tools
        refusal = await write!
          .call(
            { path: '/project/a.ts' },
            request.context,
            async () => Promise.reject(new Error('no')),
            { role: 'assistant', content: [] },
            () => {},
          )
          .catch((error: unknown) => error)
        return 'done'
      },
      { worktrees },
      mainContext({ tools: [fakeTool('Write')] }),
    )
    expect(String(refusal)).toContain('outside of the worktree')
  })

  it.each<[string, Worktrees['create']]>([
    ['is no repository', async () => ({ ok: false, message: 'this is no git repository' })],
    ['cannot be written', async () => Promise.reject(new Error('EACCES'))],
  ])('SU-06: does not run when the place %s, least of all in the main checkout', async (_name, create) => {
    const ran: string[] = []
    const { worktrees } = fakeWorktrees({ create })
    await expect(run(() => String(ran.push('ran')), { worktrees })).rejects.toThrow(
      /no git repository|EACCES.*nothing ran in the main checkout/,
    )
    expect(ran).toEqual([])
  })

  it('SU-05: five at once have five names', async () => {
    const { worktrees, made } = fakeWorktrees()
    const { agentTool } = setUp(() => 'x', { worktrees })
    await Promise.all(
      Array.from({ length: 5 }, () => callTool(agentTool, { ...task, isolation: 'worktree' }, mainContext())),
    )
    expect(new Set(made.map(({ path }) => path)).size).toBe(5)
  })

  it('SU-07: two side by side and a child of one of them each see their own folder, the caller keeps its own', async () => {
    const { worktrees, made } = fakeWorktrees()
    const seen: string[] = []
    const { agentTool } = setUp(
      ({ context, prompt }, messages) => {
        seen.push(`${textsOf(prompt)} ${context.cwd}`)
        return messages.length === 1 && textsOf(prompt) === 'first'
          ? [call('Agent', { description: 'child', prompt: 'child' })]
          : 'done'
      },
      { worktrees },
    )
    const context = mainContext({ tools: [agentTool] })
    const input = (prompt: string) => ({ description: prompt, prompt, isolation: 'worktree' as const })
    await Promise.all([
      callTool(agentTool, input('first'), context),
      callTool(agentTool, input('second'), context),
    ])
    expect(seen).toContain(`child ${made[0]!.path}`)
    expect(new Set(seen)).toEqual(
      new Set([`first ${made[0]!.path}`, `second ${made[1]!.path}`, `child ${made[0]!.path}`]),
    )
    expect(context.cwd).toBe('/project')
  })

  it('guards the children of an isolated agent as well', async () => {
    const { worktrees } = fakeWorktrees()
    const heard: string[] = []
    const { agentTool } = setUp(
      (request, messages) => {
        if (request.context.chain.depth === 2 && messages.length > 1) heard.push(textsOf(messages.slice(-1)))
        if (messages.length > 1) return 'done'
        return request.context.chain.depth === 1
          ? [call('Agent', task)]
          : [call('Write', { path: '/project/a.ts' })]
      },
      { worktrees },
    )
    const tools = [agentTool, fakeTool('Write')]
    await callTool(agentTool, { ...task, isolation: 'worktree' }, mainContext({ tools }))
    expect(heard[0]).toContain('outside of the worktree')
  })

  it('lets a child with a worktree of its own write there, not in its parent’s', async () => {
    const { worktrees, made } = fakeWorktrees()
    const heard: string[] = []
    const { agentTool } = setUp(
      (request, messages) => {
        if (request.context.chain.depth === 1) {
          return messages.length === 1 ? [call('Agent', { ...task, isolation: 'worktree' })] : 'done'
        }
        if (messages.length > 1) heard.push(textsOf(messages.slice(-1)))
        return messages.length > 1 ? 'done' : made.map(({ path }) => call('Write', { path: `${path}/a.ts` }))
      },
      { worktrees },
    )
    const tools = [agentTool, fakeTool('Write', () => 'written')]
    await callTool(agentTool, { ...task, isolation: 'worktree' }, mainContext({ tools }))
    expect(heard).toEqual([expect.stringMatching(/outside of the worktree .*\nwritten$/)])
  })

  it('keeps the worktree when nobody can tell, and says so', async () => {
    const { worktrees } = fakeWorktrees({ finish: async () => Promise.reject(new Error('git is gone')) })
    const { data } = await run(() => 'done', { worktrees })
    expect(ended(data).report.worktree).toMatchObject({ kept: true })
  })

  it('does not touch the worktree of a run that did not end', async () => {
    const { worktrees, finished } = fakeWorktrees()
    const reports: unknown[] = []
    const controller = new AbortController()
    const running = run(
      () => 'x',
      {
        worktrees,
        runAgent: () => new Promise(() => {}),
        abortGraceMs: 5,
        onEnd: (report) => reports.push(report),
      },
      mainContext({ abortController: controller }),
    )
    await settle()
    controller.abort()
    await expect(running).rejects.toBe(controller.signal.reason)
    expect([finished, reports]).toMatchObject([[], [{ worktree: { kept: true } }]])
  })

  it('finishes the worktree after everything that works in it', async () => {
    const order: string[] = []
    const { worktrees } = fakeWorktrees({
      finish: async () => {
        order.push('worktree')
        return { kept: false }
      },
    })
    const tasks = fakeTasks()
    const stopAll = tasks.stopAll.bind(tasks)
    await run(() => 'done', {
      worktrees,
      tasks: { ...tasks, stopAll: async (options) => (order.push('shells'), stopAll(options)) },
      setUp: async () => ({ release: () => void order.push('servers') }),
    })
    expect(order).toEqual(['shells', 'servers', 'worktree'])
  })

  it('tells why the worktree was kept, in the background too, and does without a branch', async () => {
    const { worktrees } = fakeWorktrees({
      create: async () => ({ ok: true, worktree: { path: '/made/by/a/hook', root: '/project' } }),
      finish: async () => ({ kept: true, why: '2 untracked files' }),
    })
    const tasks = fakeTasks()
    const { data, text } = await run(() => 'done', { worktrees })
    expect(text).toContain('worktree: /made/by/a/hook, kept: 2 untracked files')
    expect(data).not.toHaveProperty('worktreeBranch')
    const { agentTool } = setUp(() => 'done', { worktrees, tasks })
    const input = { ...task, isolation: 'worktree', run_in_background: true } as const
    const launched = await callTool(agentTool, input, mainContext())
    expect((await tasks.endOf(launched.data.agentId)).summary).toMatch(
      /completed\. Its worktree: \/made\/by\/a\/hook, kept/,
    )
  })

  it('goes on in the worktree that it had', async () => {
    const { worktrees, made } = fakeWorktrees({ isDirty: true })
    const tasks = fakeTasks()
    const { agentTool, sendTool } = setUp(({ context }) => context.cwd, { worktrees, tasks })
    const { data } = await callTool(agentTool, { ...task, isolation: 'worktree' }, mainContext())
    await callTool(sendTool, { to: data.agentId, message: 'go on' }, mainContext())
    expect((await tasks.endOf(data.agentId)).result).toBe(made[0]!.path)
    expect(made[1]).toEqual(made[0])
  })

  it('is released when the call is aborted while it is being made', async () => {
    const open = gate()
    const { worktrees, finished } = fakeWorktrees()
    const controller = new AbortController()
    const running = run(
      () => 'x',
      {
        worktrees: {
          ...worktrees,
          async create(request) {
            await open.promise
            return worktrees.create(request)
          },
        },
      },
      mainContext({ abortController: controller }),
    )
    await settle()
    controller.abort()
    open.open()
    await expect(running).rejects.toBe(controller.signal.reason)
    expect(finished).toHaveLength(1)
  })

  it('says where the changes are when it failed', async () => {
    const { worktrees } = fakeWorktrees({ isDirty: true })
    const { text } = await run(
      (_request, messages) => (messages.length === 1 ? [say('half'), call('Read')] : new Error('529')),
      { worktrees },
    )
    expect(text).toMatch(
      /half\n\n\[The agent was cut off[^]*worktree: \/trees\/agent-\w+ \(branch worktree-agent-\w+\), kept/,
    )
  })
})

describe('an agent that an isolated agent started', () => {
  it('does not go on from outside of that worktree, where nothing would keep it there', async () => {
    const { worktrees } = fakeWorktrees({ isDirty: true })
    const ids: string[] = []
    const tasks = fakeTasks()
    const { agentTool, sendTool } = setUp(
      (request) => {
        ids.push(request.agent.id)
        return ids.length === 1 ? [call('Agent', task)] : 'done'
      },
      { worktrees, tasks },
    )
    const context = mainContext({ tools: [fakeTool('Write'), agentTool] })
    await callTool(agentTool, { ...task, isolation: 'worktree' }, context)
    const [parent = '', child = ''] = ids
    const refused = callTool(sendTool, { to: child, message: 'And more?' }, context)
    await expect(refused).rejects.toThrow(`it worked in the worktree of ${parent}`)
    expect(ids).toHaveLength(3)
    // The one with the worktree goes on, in it.
    await callTool(sendTool, { to: parent, message: 'And more?' }, context)
    await tasks.endOf(tasks.list().at(-1)?.task.id ?? '')
    expect(ids).toHaveLength(4)
  })
})
