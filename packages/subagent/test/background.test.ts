import { AbortReason } from '@x/abort'
import { callTool, type TaskEnd } from '@x/contract'
import { describe, expect, it } from 'vitest'
import { type AgentsOptions, createMemorySidechains, type Sidechains } from '../src/index.ts'
import { fakeTasks } from './fake-tasks.ts'
import { call, fakeTool, gate, mainContext, type Script, say, settle, setUp, textsOf } from './kit.ts'

const task = { description: 'look around', prompt: 'Find X.', run_in_background: true }

async function launch(script: Script, more: Partial<AgentsOptions> = {}, context = mainContext()) {
  const tasks = fakeTasks()
  const made = setUp(script, { tasks, ...more })
  const { data, result } = await callTool(made.agentTool, task, context)
  if (data.status !== 'async_launched') throw new Error('not in the background')
  return { ...made, tasks, data, text: textsOf([{ role: 'user', content: [result] }]) }
}

/** An agent that says one thing and then works until it is stopped. */
const endless: Script = async (request, messages) => {
  if (messages.length === 1) return [say('half of it'), call('Read')]
  await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
  return 'never'
}

describe('an agent in the background', () => {
  it('tells how far it has come with each of its calls, and what it has used at its end', async () => {
    const open = gate()
    const { tasks, data } = await launch(
      async (_, messages) => {
        if (messages.length === 1) await open.promise
        return messages.length < 5 ? [call('Read'), call('Grep')] : 'done'
      },
      {},
      mainContext({ tools: [fakeTool('Read'), fakeTool('Grep')] }),
    )
    const told: unknown[] = []
    tasks.subscribe(({ kind, view }) => kind === 'progress' && told.push(view.progress))
    open.open()
    const { usage } = await tasks.endOf('agent_1')
    const durationMs = expect.any(Number)
    expect(told).toEqual([
      { totalTokens: 15, toolUses: 2, durationMs, lastToolName: 'Grep' },
      { totalTokens: 15, toolUses: 4, durationMs, lastToolName: 'Grep' },
    ])
    expect(usage).toEqual({ totalTokens: 15, toolUses: 4, durationMs })
    expect(tasks.get(data.agentId)?.task.agent).toEqual({ type: 'general-purpose', depth: 1 })
  })

  it('is launched at once, as a task that its id and name find', async () => {
    const open = gate()
    const { data, text, tasks } = await launch(async () => {
      await open.promise
      return 'done'
    })
    expect(data).toEqual({
      status: 'async_launched',
      isAsync: true,
      agentId: data.agentId,
      taskId: 'agent_1',
      description: 'look around',
      prompt: 'Find X.',
      outputFile: '',
      canReadOutputFile: false,
      resolvedModel: 'main-model',
    })
    expect(text).toContain('do not guess them')
    expect(tasks.get(data.agentId)?.task).toMatchObject({
      id: 'agent_1',
      type: 'local_agent',
      toolUseId: 'toolu_main',
    })
    open.open()
    expect(await tasks.endOf('agent_1')).toMatchObject({
      status: 'completed',
      summary: `Agent "look around" (agentId: ${data.agentId}) completed`,
      result: 'done',
    })
  })

  it.each([
    ['Read', true],
    ['Glob', false],
  ])('says whether its caller can read its transcript: with %s %s', async (name, expected) => {
    const memory = createMemorySidechains()
    const sidechains: Sidechains = {
      ...memory,
      open: async (...args) => ({ ...(await memory.open(...args)), path: '/kept.jsonl' }),
    }
    const context = mainContext({ tools: [fakeTool(name)] })
    const { data } = await launch(() => 'done', { sidechains }, context)
    expect([data.outputFile, data.canReadOutputFile]).toEqual(['/kept.jsonl', expected])
  })

  it('example 26: tells a failure by name, with the last output', async () => {
    const { tasks, data } = await launch((_request, messages) =>
      messages.length === 1 ? [say('found X'), call('Read')] : new Error('529 overloaded'),
    )
    expect(await tasks.endOf(data.agentId)).toMatchObject({
      status: 'failed',
      summary: expect.stringContaining('failed: 529 overloaded'),
      result: expect.stringMatching(/^found X\n\n\[The agent was cut off/),
    })
  })

  it('example 28: stopped as a task, tells that it was killed, with the partial text', async () => {
    const { tasks, data, agents } = await launch(endless)
    await settle()
    await tasks.get(data.taskId)!.task.stop()
    expect(await tasks.endOf(data.taskId)).toMatchObject({
      status: 'killed',
      result: expect.stringMatching(/^half of it\n\n\[The agent was stopped/),
    })
    expect(agents.running).toEqual([])
    await tasks.get(data.taskId)!.task.stop()
    const [notice] = tasks.takeNotices()
    expect(textsOf([notice!])).toContain('killed')
  })

  it('never tells of a completion when it was stopped before its end, not even while it is being released', async () => {
    const open = gate()
    const { tasks, data } = await launch(() => 'done', {
      setUp: async () => ({ release: () => open.promise }),
    })
    await settle()
    const stopped = tasks.get(data.taskId)!.task.stop({ isByUser: true })
    open.open()
    await stopped
    expect(await tasks.endOf(data.taskId)).toMatchObject({ status: 'killed' })
  })

  it('outlives its call, and ends with the session', async () => {
    const controller = new AbortController()
    const session = new AbortController()
    const { tasks, data, agents } = await launch(
      endless,
      { signal: session.signal },
      mainContext({ abortController: controller }),
    )
    await settle()
    controller.abort(new AbortReason('user-cancel'))
    await settle()
    expect(agents.running).toEqual([data.agentId])
    session.abort(new AbortReason('host-stopped'))
    expect(await tasks.endOf(data.taskId)).toMatchObject({ status: 'killed' })
    await expect(launch(endless, { signal: session.signal })).rejects.toThrow('The session is ending')
  })

  it('is not launched when it cannot be made ready: the call fails', async () => {
    const rejected = launch(endless, { setUp: async () => Promise.reject(new Error('no server')) })
    await expect(rejected).rejects.toThrow('no server')
  })

  it('asks nobody', async () => {
    let hasInteraction = true
    const context = mainContext({ interaction: { prompt: async () => 'yes' } })
    const { tasks, data } = await launch(
      (request) => {
        hasInteraction = request.context.interaction !== undefined
        expect(request.isBackground).toBe(true)
        return 'done'
      },
      {},
      context,
    )
    expect(await tasks.endOf(data.taskId)).toMatchObject({ status: 'completed' })
    expect(hasInteraction).toBe(false)
  })

  it('waits for its own agents in the background and hears what came of them', async () => {
    const tasks = fakeTasks()
    const child = gate()
    const { agentTool } = setUp(
      async (request, messages) => {
        if (request.context.chain.depth === 2) {
          await child.promise
          return 'the child found Y'
        }
        if (messages.length === 1) return [call('Agent', { ...task, description: 'child' })]
        const heard = textsOf(messages)
        return heard.includes('the child found Y') ? 'my child found Y' : 'waiting for my child'
      },
      { tasks },
    )
    const tools = [agentTool, fakeTool('Read')]
    const { data } = await callTool(agentTool, { ...task, description: 'parent' }, mainContext({ tools }))
    await settle()
    child.open()
    if (data.status !== 'async_launched') throw new Error('not in the background')
    expect(await tasks.endOf(data.taskId)).toMatchObject({ status: 'completed', result: 'my child found Y' })
    expect(tasks.takeNotices(data.agentId)).toEqual([])
  })

  it('example 48: what an agent left running ends with it, in the foreground too', async () => {
    const tasks = fakeTasks()
    const stopped: string[] = []
    const shell = fakeTool('Bash', ({ agent, toolUseId }) => {
      const end = gate<{ status: 'killed'; summary: string }>()
      tasks.add({
        id: `bash_${stopped.length}_${agent?.id}`,
        type: 'local_bash',
        description: 'sleep',
        toolUseId,
        ...(agent && { agentId: agent.id }),
        outputFile: '',
        startedAtMs: 0,
        ended: end.promise,
        async stop() {
          stopped.push(agent?.id ?? 'main')
          end.open({ status: 'killed', summary: 'gone' })
        },
      })
    })
    const { agentTool } = setUp((_request, messages) => (messages.length === 1 ? [call('Bash')] : 'done'), {
      tasks,
    })
    const { data } = await callTool(
      agentTool,
      { ...task, run_in_background: false },
      mainContext({ tools: [shell] }),
    )
    expect(stopped).toEqual([data.agentId])
    expect(tasks.takeNotices(data.agentId)).toEqual([])
  })

  it('reads of what ended with it when it goes on', async () => {
    const tasks = fakeTasks()
    const heard: string[] = []
    const { agentTool, sendTool } = setUp(
      (request, messages) => {
        heard.push(textsOf(messages))
        if (request.history.length > 0) return 'I know'
        return messages.length === 1 ? [call('Start')] : new Error('the service is gone')
      },
      { tasks },
    )
    const tools = [
      fakeTool('Start', async ({ agent }) => {
        const { promise: ended, resolve } = Promise.withResolvers<TaskEnd>()
        tasks.add({
          id: 'bash_9',
          type: 'local_bash',
          description: 'server',
          toolUseId: 't',
          agentId: agent?.id ?? '',
          outputFile: '',
          startedAtMs: 0,
          ended,
          stop: async () => resolve({ status: 'killed', summary: 'the server was stopped' }),
        })
      }),
    ]
    const input = { ...task, run_in_background: true }
    const { data } = await callTool(agentTool, input, mainContext({ tools }))
    expect((await tasks.endOf(data.agentId)).status).toBe('failed')
    await callTool(sendTool, { to: data.agentId, message: 'go on' }, mainContext({ tools }))
    await tasks.endOf(data.agentId)
    expect(heard.at(-1)).toMatch(/the server was stopped[\s\S]*go on/)
  })

  it('lets the transcript know of a call before it begins, where it wants to', async () => {
    const begun: string[] = []
    const { data, tasks } = await launch(() => 'done', {
      runAgent: async ({ log, prompt }) => {
        await log.append(prompt)
        await log.beforeCall?.('toolu_1', { role: 'assistant', content: 'I write.' })
        return { reason: 'completed', messages: prompt }
      },
      sidechains: {
        open: async () => ({
          append: async () => {},
          beforeCall: async (id) => void begun.push(id),
          close: async () => {},
        }),
        find: async () => undefined,
      },
    })
    await tasks.endOf(data.taskId)
    expect(begun).toEqual(['toolu_1'])
  })

  it('writes as it goes to the transcript whose path it names', async () => {
    const written: string[] = []
    const { data, tasks } = await launch(
      (_request, messages) => (messages.length === 1 ? [call('Read')] : 'done'),
      {
        sidechains: {
          open: async (agentId, meta) => ({
            path: `/state/agent-${agentId}.jsonl`,
            append: async (messages) =>
              void written.push(...messages.map(({ role }) => `${meta.agentType} ${role}`)),
            record: (record) => void written.push(record.type),
            close: async ({ status }) => void written.push(status),
          }),
          find: async () => undefined,
        },
      },
    )
    await tasks.endOf(data.taskId)
    expect(data.outputFile).toBe(`/state/agent-${data.agentId}.jsonl`)
    expect(written).toEqual([
      'general-purpose user',
      'assistant',
      'general-purpose assistant',
      'general-purpose user',
      'assistant',
      'general-purpose assistant',
      'completed',
    ])
  })
})
