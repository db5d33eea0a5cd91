import { callTool, checkHistory, isContinuation, type Message, repairHistory } from '@x/contract'
import { describe, expect, it } from 'vitest'
import {
  type AgentMeta,
  type AgentsOptions,
  builtInAgents,
  createMemorySidechains,
  isAgentError,
  type Sidechains,
} from '../src/index.ts'
import { fakeTasks } from './fake-tasks.ts'
import { call, define, fakeTool, gate, mainContext, type Script, settle, setUp, textsOf } from './kit.ts'

const task = { description: 'look around', prompt: 'Find X.' }

function start(script: Script, more: Partial<AgentsOptions> = {}) {
  const tasks = fakeTasks()
  const made = setUp(script, { tasks, ...more })
  return {
    ...made,
    tasks,
    run: (input = {}, context = mainContext()) => callTool(made.agentTool, { ...task, ...input }, context),
    send: async (to: string, message: string | Record<string, unknown>, context = mainContext()) => {
      const { result } = await callTool(made.sendTool, { to, message }, context)
      return textsOf([{ role: 'user', content: [result] }])
    },
  }
}

function idOf({ data }: { readonly data: { readonly agentId: string } }): string {
  return data.agentId
}

describe('SendMessage', () => {
  it('reaches a running agent at its next turn, as a message that is not the user’s', async () => {
    const open = gate()
    const { run, send, agents } = start(async (_request, messages) => {
      if (messages.length === 1) {
        await open.promise
        return [call('Read')]
      }
      return textsOf(messages)
    })
    const running = run()
    await settle()
    expect(await send(agents.running[0]!, 'Look at <b.ts>')).toContain('read at its next turn')
    open.open()
    const { data } = await running
    const text = data.status === 'async_launched' ? '' : data.report.lastText
    expect(text).toContain(
      '<agent-message from="main" summary="Look at &lt;b.ts&gt;">\nLook at &lt;b.ts&gt;\n</agent-message>',
    )
    expect(text).toContain('It is not from the user')
  })

  it('sends an agent on that had just finished when the message came', async () => {
    const { run, send, agents } = start(
      (_request, messages) => (textsOf(messages).includes('one more') ? 'both done' : 'first done'),
      {
        onStop: async () => {
          if (agents.running.length > 0 && !sent) {
            sent = true
            await send(agents.running[0]!, 'one more')
          }
          return undefined
        },
      },
    )
    let sent = false
    const { data } = await run()
    expect(data).toMatchObject({ report: { lastText: 'both done' } })
  })

  it('example 35: a finished agent goes on in the background, the same one, with all it knew', async () => {
    const { run, send, tasks, agents } = start((request, messages) =>
      request.history.length === 0 ? `I remember 42 as ${request.model}` : `history: ${textsOf(messages)}`,
    )
    const id = idOf(await run({ model: 'opus' }))
    expect(await send(id, 'What was it?')).toContain(`Agent ${id} had ended and goes on`)
    expect(agents.running).toEqual([id])
    const end = await tasks.endOf(id)
    expect(end.status).toBe('completed')
    expect(end.result).toContain('Find X.\nI remember 42 as opus')
    expect(end.result).toContain('What was it?')
    expect(await send(id, 'And again?')).toContain('goes on')
    expect((await tasks.endOf(id)).result).toContain('And again?')
  })

  it('example 36: an agent that the user stopped goes on for the user alone; one that the model stopped, for anybody', async () => {
    const { run, send, tasks, agents } = start(async (request) => {
      if (request.history.length > 0) return 'on I go'
      await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
      return 'never'
    })
    const byUser = idOf(await run({ run_in_background: true }))
    await settle()
    await tasks.get(byUser)!.task.stop({ isByUser: true })
    await expect(send(byUser, 'go on')).rejects.toThrow('was stopped by the user')
    await agents.send({ to: byUser, text: 'go on', isByUser: true, context: mainContext() })
    expect(await tasks.endOf(byUser)).toMatchObject({ status: 'completed' })
    expect(await send(byUser, 'and on')).toContain('goes on')
    const byModel = idOf(await run({ run_in_background: true }))
    await settle()
    await tasks.get(byModel)!.task.stop()
    expect(await send(byModel, 'go on')).toContain('goes on')
    await agents.close()
  })

  it('does not wake for a model what the user stopped before it was ready to go on', async () => {
    const [isStarting, open] = [gate(), gate()]
    let starts = 0
    const { run, send, agents } = start(() => 'done', {
      async onStart() {
        starts += 1
        if (starts < 2) return undefined
        isStarting.open()
        await open.promise
        return undefined
      },
    })
    const id = idOf(await run())
    const sending = send(id, 'go on')
    await isStarting.promise
    const stopping = agents.stop(id, { isByUser: true })
    open.open()
    await expect(sending).rejects.toThrow()
    await stopping
    await expect(send(id, 'go on')).rejects.toThrow('was stopped by the user')
  })

  it('does not wake agents that answer once', async () => {
    const { run, send } = start(() => 'here', { definitions: () => builtInAgents() })
    const id = idOf(await run({ subagent_type: 'Explore' }))
    await expect(send(id, 'more')).rejects.toThrow('answer once and cannot go on')
  })

  it('refuses a name that another agent has taken over, and says whom it reaches', async () => {
    const { run, send, tasks } = start(() => 'done')
    const first = idOf(await run({ name: 'scout' }))
    expect(await send('scout', 'x')).toContain(first)
    await tasks.endOf(first)
    await settle()
    const other = mainContext({ agent: { id: 'other', type: 'worker' }, chain: { id: 'c', depth: 1 } })
    const second = idOf(await run({ name: 'scout', description: 'second look' }, other))
    const refused = await send('scout', 'x').catch((error: unknown) => error)
    expect(isAgentError(refused) && refused.code).toBe('name-taken-over')
    expect(String(refused)).toContain(`${second} (second look)`)
    expect(await send(second, 'x')).toContain(second)
    await tasks.endOf(second)
    expect(await send('scout', 'x', other)).toContain(second)
    await tasks.endOf(second)
  })

  it('reaches the main conversation from an agent, once', async () => {
    const { agents, sendTool } = start(() => 'x')
    const inside = mainContext({ agent: { id: 'a7', type: 'worker' } })
    await callTool(sendTool, { to: 'main', message: { kind: 'plan', ok: true } }, inside)
    const [message] = agents.notices.take()
    expect(textsOf([message!])).toContain('<agent-message from="a7" summary="{&quot;kind')
    expect(agents.notices.take()).toEqual([])
    await expect(callTool(sendTool, { to: 'main', message: 'x' }, mainContext())).rejects.toThrow('yourself')
    await expect(callTool(sendTool, { to: 'a7', message: 'x' }, inside)).rejects.toThrow('yourself')
  })

  it('names who is running when it reaches nobody', async () => {
    const open = gate()
    const { run, send, agents } = start(async () => {
      await open.promise
      return 'x'
    })
    await expect(send('nobody', 'x')).rejects.toThrow('There is no agent "nobody". No agent is running.')
    const running = run({ name: 'scout' })
    await settle()
    await expect(send('nobody', 'x')).rejects.toThrow(`Running: ${agents.running[0]} or scout (look around)`)
    open.open()
    await running
  })

  it('cannot wake anybody where nothing runs in the background', async () => {
    const { agentTool, sendTool } = setUp(() => 'x')
    const { data } = await callTool(agentTool, task, mainContext())
    await expect(callTool(sendTool, { to: data.agentId, message: 'x' }, mainContext())).rejects.toThrow(
      'nothing can run in the background here',
    )
  })

  it('wakes nobody that the host refuses to a model; the user is not asked about', async () => {
    const asked: unknown[] = []
    const { run, send, agents } = start(() => 'done', {
      mayWake: async (agent) => {
        asked.push(agent)
        return 'Not such agents.'
      },
    })
    const to = idOf(await run())
    expect(await send(to, 'again').catch(String)).toContain('Not such agents. Nothing was sent.')
    expect(asked).toEqual([{ type: 'general-purpose', description: 'look around', prompt: 'again' }])
    const byUser = agents.send({ to, text: 'again', isByUser: true, context: mainContext() })
    expect(await byUser).toMatchObject({ status: 'resumed' })
  })

  it('wakes agents for a model as often as it may start some, and for the user as often as he likes', async () => {
    const { run, send, agents, tasks } = start(() => 'done', { limits: { maxAgents: 5 } })
    const to = idOf(await run())
    const answers: string[] = []
    for (let index = 0; index < 5; index += 1) {
      answers.push(await send(to, 'again').catch(String))
      await Promise.all(tasks.list().map(({ task: { ended } }) => ended))
    }
    expect(answers.filter((text) => text.includes('goes on with your message'))).toHaveLength(4)
    expect(answers.at(-1)).toContain('Agent limit reached: this session has started 5 agents.')
    const byUser = agents.send({ to, text: 'once more', isByUser: true, context: mainContext() })
    expect(await byUser).toMatchObject({ status: 'resumed' })
  })

  it('wakes an agent once for two messages at the same time', async () => {
    const { run, send, tasks } = start((_request, messages) => textsOf(messages))
    const id = idOf(await run())
    const answers = await Promise.all([send(id, 'message one'), send(id, 'message two')])
    expect(answers.filter((text) => text.includes('goes on'))).toHaveLength(1)
    const { result } = await tasks.endOf(id)
    expect(result).toContain('message one')
    expect(result).toContain('message two')
    expect(tasks.list()).toHaveLength(1)
  })

  it('never gives an agent more tools than it had, whoever wakes it', async () => {
    const seen: string[][] = []
    const { run, send, tasks } = start((request) => {
      seen.push(request.tools.map(({ name }) => name))
      return 'done'
    })
    const id = idOf(await run({}, mainContext({ tools: [fakeTool('Read')] })))
    await send(id, 'x', mainContext({ tools: [fakeTool('Read'), fakeTool('Bash')] }))
    await tasks.endOf(id)
    expect(seen).toEqual([['Read'], ['Read']])
  })

  it('does not wake an agent whose type is gone', async () => {
    let all = [define('general-purpose')]
    const { run, send } = start(() => 'x', { definitions: () => all })
    const id = idOf(await run())
    all = [define('other')]
    await expect(send(id, 'x')).rejects.toThrow('there is no agent type "general-purpose" any more')
  })
})

/** What a crash leaves of a transcript. */
function onDisk(messages: readonly Message[]): { readonly sidechains: Sidechains; readonly log: Message[] } {
  const log: Message[] = [...messages]
  const meta: AgentMeta = {
    agentType: 'worker',
    description: 'from before',
    toolUseId: 'toolu_old',
    name: 'scout',
    model: 'old-model',
    depth: 1,
    cwd: '/where/it/was',
    toolNames: ['Read'],
  }
  const sidechains: Sidechains = {
    open: async () => ({ append: async (added) => void log.push(...added), close: async () => {} }),
    find: async (to) =>
      to === 'a_old' || to === 'scout' ? { agentId: 'a_old', meta, messages: [...log] } : undefined,
  }
  return { sidechains, log }
}

describe('in a new process', () => {
  const open = call('Bash')
  const before: Message[] = [
    { role: 'user', content: 'Find X.' },
    { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, open] },
  ]

  it('SU-11: a call that was open counts as interrupted, is not run again, and folder and context are as they were', async () => {
    const ran: string[] = []
    const { sidechains, log } = onDisk(before)
    const { send, tasks } = start(
      (request, messages) => {
        // Neighbours of one role become one message of a request.
        expect(checkHistory(messages).map(({ code }) => code)).toEqual(['role-order'])
        expect(request.model).toBe('old-model')
        return `${request.context.cwd}: ${textsOf(messages)}`
      },
      { sidechains },
    )
    const tools = [fakeTool('Read'), fakeTool('Bash', () => void ran.push('ran'))]
    expect(await send('scout', 'Go on.', mainContext({ tools }))).toContain('a_old')
    const { result } = await tasks.endOf('a_old')
    expect(result).toContain('/where/it/was: Find X.\nI look.')
    expect(result).toContain('interrupted before it answered')
    expect(result).toContain('Go on.')
    expect(ran).toEqual([])
    expect(log.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user', 'assistant'])
  })

  it('goes on a second time from what the first wrote, byte for byte', async () => {
    const { sidechains, log } = onDisk(before)
    const requests: (readonly Message[])[] = []
    const script: Script = (_request, messages) => {
      requests.push(repairHistory(messages).messages)
      return 'done'
    }
    for (const text of ['one', 'two']) {
      const { send, tasks } = start(script, { sidechains })
      await send('a_old', text, mainContext({ tools: [fakeTool('Read')] }))
      await tasks.endOf('a_old')
    }
    expect(isContinuation(requests[0]!, requests[1]!)).toBe(true)
    expect(log.filter(({ role }) => role === 'assistant')).toHaveLength(3)
  })
})

describe('createMemorySidechains', () => {
  it('keeps the last agents and finds them by id, then by name', async () => {
    const sidechains = createMemorySidechains(2)
    const meta = (name: string): AgentMeta => ({
      agentType: 'w',
      description: 'd',
      toolUseId: 't',
      name,
      model: 'm',
      depth: 1,
      cwd: '/',
      toolNames: [],
    })
    for (const id of ['a1', 'a2', 'a3'])
      await (await sidechains.open(id, meta('same'))).append([{ role: 'user', content: id }])
    expect(await sidechains.find('a1')).toBeUndefined()
    expect((await sidechains.find('same'))?.agentId).toBe('a3')
    expect((await sidechains.find('a2'))?.messages).toEqual([{ role: 'user', content: 'a2' }])
  })
})
