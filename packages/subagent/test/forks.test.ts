import { type AgentRequest, callTool, type Message, type ToolUseContext } from '@x/contract'
import { describe, expect, it } from 'vitest'
import { type AgentsOptions, createMemorySidechains, type Sidechains } from '../src/index.ts'
import { fakeTasks } from './fake-tasks.ts'
import { call, define, fakeTool, gate, mainContext, setUp, task, textsOf } from './kit.ts'

const system = [{ type: 'text' as const, text: 'You are x.' }]
const talk: readonly Message[] = [
  { role: 'user', content: 'Where is the parser?' },
  { role: 'assistant', id: 'msg_a', content: [{ type: 'text', text: 'In parse.ts.' }] },
  { role: 'user', content: 'Split the work.' },
]

const forking: Partial<AgentsOptions> = {
  env: { CLAUDE_CODE_FORK_SUBAGENT: '1', CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' },
  mainSystem: () => system,
}

/** Calls Agent once from a conversation; gives what the loop was asked first. */
async function fork(input = {}, more: Partial<AgentsOptions> = {}, context: Partial<ToolUseContext> = {}) {
  const requests: AgentRequest[] = []
  const { agentTool, agents } = setUp(
    (request) => {
      requests.push(request)
      return 'done'
    },
    { ...forking, ...more },
  )
  const main = mainContext({ messages: talk, ...context })
  const outcome = await callTool(agentTool, { ...task, ...input }, main)
  return {
    ...outcome,
    request: requests[0],
    agents,
    agentTool,
    main,
    text: textsOf([{ role: 'user', content: [outcome.result] }]),
  }
}

/** Writes to an agent of which only the transcript is left; gives what the loop is asked then. */
async function resume(sidechains: Sidechains, to: string): Promise<AgentRequest> {
  const asked = gate<AgentRequest>()
  const tasks = fakeTasks()
  const { sendTool } = setUp(
    (request) => {
      asked.open(request)
      return 'done again'
    },
    { sidechains, tasks, env: {} },
  )
  await callTool(sendTool, { to, message: 'And Y?' }, mainContext())
  await tasks.endOf(tasks.list()[0]?.task.id ?? '')
  return asked.promise
}

describe('a fork', () => {
  it('goes on with the conversation of its parent: the same messages, system prompt, tools and model', async () => {
    const { request, main } = await fork({ model: 'opus' }, { appendSystemPrompt: 'More.' })
    expect(request?.agent.type).toBe('fork')
    expect(request?.history).toEqual(talk)
    expect(request?.history.every((message, index) => message === talk[index])).toBe(true)
    expect(request?.system).toBe(system)
    expect(request?.tools).toBe(main.options.tools)
    expect(request?.model).toBe('main-model')
    expect(textsOf(request?.prompt ?? [])).toMatch(/You are a fork[\s\S]*Find X\.$/)
  })

  it('knows the files its parent has read, and what it reads is its own', async () => {
    const context = mainContext({ messages: talk })
    const state = { mtimeMs: 1, sizeBytes: 1, source: 'read' as const, isPartialView: false }
    const files = new Map([['/a', state]])
    const { request } = await fork({}, {}, { files, cwd: context.cwd })
    expect(request?.context.files.get('/a')).toEqual(state)
    request?.context.files.set('/b', state)
    request?.context.files.delete('/a')
    expect([...files.keys()]).toEqual(['/a'])
  })

  it('keeps tools that other agents lose, and does not fork itself', async () => {
    const texts: string[] = []
    const tools = [fakeTool('Read'), fakeTool('AskUserQuestion')]
    const { agentTool } = setUp(
      (request, messages) => {
        texts.push(textsOf(messages.slice(request.history.length)))
        return texts.length === 1 ? [call('Agent', task)] : 'done'
      },
      { ...forking },
    )
    const main = mainContext({ messages: talk, tools: [...tools, agentTool] })
    await callTool(agentTool, task, main)
    expect(texts[1]).toContain('A fork does not fork')
  })

  it('at the depth limit keeps Agent, and the call errors', async () => {
    const { request, main } = await fork({}, { limits: { maxDepth: 1 } })
    expect(request?.tools).toBe(main.options.tools)
    const deep = fork({}, { limits: { maxDepth: 1 } }, { chain: { id: 'chain', depth: 1 } })
    await expect(deep).rejects.toThrow('Agent depth limit reached')
  })

  it('of an agent goes on with the conversation of that agent, and with its effort', async () => {
    const requests: AgentRequest[] = []
    const { agentTool } = setUp(
      (request, messages) => {
        requests.push(request)
        const isWorker = request.agent.type === 'worker'
        return isWorker && messages.length === 1
          ? [call('Agent', { ...task, subagent_type: 'fork' })]
          : 'done'
      },
      { ...forking, definitions: () => [define('worker', { effort: 'low' })] },
    )
    await callTool(
      agentTool,
      { ...task, subagent_type: 'worker' },
      mainContext({ messages: talk, tools: [agentTool] }),
    )
    const [worker, forked] = requests
    expect(forked?.agent.type).toBe('fork')
    expect(forked?.system).toBe(worker?.system)
    expect(forked?.history).toEqual(worker?.prompt)
    expect([worker?.effort, forked?.effort]).toEqual(['low', 'low'])
  })

  it('is resumed from its transcript with the whole conversation, also by another process and where forks are off', async () => {
    const sidechains = createMemorySidechains()
    const first = await fork({}, { sidechains })
    const resumed = await resume(sidechains, first.request?.agent.id ?? '')
    expect(resumed.history.slice(0, 2)).toEqual(talk.slice(0, 2))
    expect(textsOf(resumed.history)).toMatch(/Split the work\.[\s\S]*Find X\.\ndone$/)
    expect(resumed.system).toEqual(system)
    expect(textsOf(resumed.prompt)).toContain('And Y?')
  })
})

describe('forks are', () => {
  it('what a call without a type comes to, shown to rules and hooks in its input', async () => {
    const { agentTool } = setUp(() => 'done', forking)
    expect(agentTool.inputSchema.parse(task).subagent_type).toBe('fork')
    expect(agentTool.description).toContain('- fork: ')
  })

  it('there only where the environment says so and there is a conversation to share', async () => {
    for (const more of [
      { env: {} },
      { env: { CLAUDE_CODE_FORK_SUBAGENT: '0' } },
      { mainSystem: undefined },
    ]) {
      const options = { ...forking, ...more } as Partial<AgentsOptions>
      const { agentTool } = setUp(() => 'done', options)
      expect(agentTool.inputSchema.parse(task).subagent_type).toBeUndefined()
      expect(agentTool.description).not.toContain('- fork: ')
    }
  })

  it('no reason to forget a definition of that name', async () => {
    const { request } = await fork({ subagent_type: 'fork' }, { definitions: () => [define('fork')] })
    expect(request?.history).toEqual([])
  })

  it('not offered where the session may start other types only', async () => {
    const { request, agentTool } = await fork({}, { allowedTypes: () => ['worker', 'general-purpose'] })
    expect(request?.agent.type).toBe('general-purpose')
    expect(agentTool.description).not.toContain('- fork: ')
  })

  it('in the background, as all agents are in that mode', async () => {
    const env = { CLAUDE_CODE_FORK_SUBAGENT: '1' }
    for (const type of ['fork', 'worker']) {
      const tasks = fakeTasks()
      const { request, agents } = await fork(
        { subagent_type: type, run_in_background: false },
        { tasks, env },
      )
      await tasks.endOf(tasks.list()[0]?.task.id ?? '')
      expect([request?.agent.type, request?.isBackground]).toEqual([type, true])
      await agents.close()
    }
  })
})
