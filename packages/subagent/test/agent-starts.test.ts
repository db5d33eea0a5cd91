import { type AgentRequest, callTool, type Message } from '@x/contract'
import { describe, expect, it } from 'vitest'
import { type AgentsOptions, builtInAgents } from '../src/index.ts'
import { fakeTasks } from './fake-tasks.ts'
import {
  call,
  define,
  ended,
  fakeTool,
  gate,
  mainContext,
  runTool,
  settle,
  setUp,
  task,
  textsOf,
} from './kit.ts'

/** What the loop was asked in its first run. */
async function firstRequest(input = {}, more: Partial<AgentsOptions> & { context?: object } = {}) {
  let first: AgentRequest | undefined
  await runTool(
    (request) => {
      first ??= request
      return 'done'
    },
    input,
    more,
  )
  return first!
}

describe('what an agent begins with', () => {
  it('has its own prompt and place, the task, and nothing of the conversation', async () => {
    const messages: Message[] = [{ role: 'user', content: 'a secret of the conversation' }]
    const request = await firstRequest({}, { context: { messages }, appendSystemPrompt: 'Be brief.' })
    expect(request.system.map(({ text }) => text)).toEqual([
      'You are general-purpose.',
      'Working folder: /project',
      'Be brief.',
    ])
    expect(textsOf(request.prompt)).toBe('Find X.')
    expect([request.history, request.context.messages]).toEqual([[], []])
    expect(request.isReport || request.isBackground).toBe(false)
  })

  it('has files, state, controller and identity of its own', async () => {
    const key = { name: 'todos', initial: () => ['none'] }
    const context = mainContext()
    context.setState(key, () => ['mine'])
    context.files.set('/a', { mtimeMs: 1, sizeBytes: 1, source: 'read', isPartialView: false })
    const request = await firstRequest({}, { context })
    expect(request.context.getState(key)).toEqual(['none'])
    expect(request.context.files.get('/a')).toBeUndefined()
    expect(request.context.agent).toEqual({ id: request.agent.id, type: 'general-purpose' })
    expect(request.context.chain).toEqual({ id: 'chain', depth: 1 })
    expect(request.context.abortController).not.toBe(context.abortController)
    expect(request.parentToolUseId).toBe('toolu_main')
  })

  it.each([
    [
      '16: the environment beats call and definition',
      { CLAUDE_CODE_SUBAGENT_MODEL: 'haiku' },
      'opus',
      'haiku',
    ],
    [
      '17: inherit in the environment is no choice',
      { CLAUDE_CODE_SUBAGENT_MODEL: 'inherit' },
      'opus',
      'opus',
    ],
    ['the call beats the definition', {}, 'opus', 'opus'],
    ['the definition beats the session', {}, undefined, 'sonnet'],
  ])('example %s', async (...[, env, model, expected]) => {
    const definitions = () => [define('general-purpose', { model: 'sonnet' })]
    const request = await firstRequest(model === undefined ? {} : { model }, { env, definitions })
    expect(request.model).toBe(expected)
  })

  it('asks for a model by the name that the service knows, also when it goes on', async () => {
    const names: string[] = []
    const resolveModel = (name: string): string => (name === 'opus' ? 'opus-5' : name)
    const { agentTool, sendTool } = setUp((request) => (names.push(request.model), 'done'), {
      resolveModel,
      tasks: fakeTasks(),
    })
    const { data } = await callTool(agentTool, { ...task, model: 'opus' }, mainContext())
    await callTool(sendTool, { to: data.agentId, message: 'On' }, mainContext())
    await settle()
    expect([ended(data).resolvedModel, ...names]).toEqual(['opus-5', 'opus-5', 'opus-5'])
  })

  it('asks the session’s model where nobody says another', async () => {
    expect((await firstRequest()).model).toBe('main-model')
  })

  it.each([
    ['18', 'acceptEdits', 'plan', 'acceptEdits'],
    ['19', 'default', 'dontAsk', 'dontAsk'],
    ['', 'bypassPermissions', 'plan', 'bypassPermissions'],
    ['', 'auto', 'dontAsk', 'auto'],
    ['', 'plan', undefined, 'plan'],
  ] as const)('example %s: parent %s, definition %s: %s', async (...[, parent, wanted, expected]) => {
    const definitions = () => [define('general-purpose', wanted && { permissionMode: wanted })]
    const request = await firstRequest(
      { mode: 'bypassPermissions' },
      { definitions, permissionMode: () => parent },
    )
    expect(request.permissionMode).toBe(expected)
  })

  it('asks the session’s model again in an agent of an agent that had another', async () => {
    const models: string[] = []
    const { agentTool } = setUp((request, messages) => {
      models.push(request.model)
      return messages.length === 1 && models.length === 1 ? [call('Agent', task)] : 'done'
    })
    await callTool(agentTool, { ...task, model: 'opus' }, mainContext({ tools: [agentTool] }))
    expect([models[0], models[1]]).toEqual(['opus', 'main-model'])
  })

  it('has tools that its set-up grants beside its list, unless they are denied', async () => {
    const definitions = () => [define('general-purpose', { tools: ['Read'], disallowedTools: ['Edit'] })]
    const grant = async () => ({ grantedTools: ['Write', 'Edit'] })
    const request = await firstRequest({}, { definitions, setUp: grant })
    expect(request.tools.map(({ name }) => name)).toEqual(['Read', 'Write'])
  })

  it('knows whom it can write to, if it can', async () => {
    const open = gate()
    const prompts: string[] = []
    const { agentTool, sendTool } = setUp(async (request) => {
      prompts.push(textsOf(request.prompt))
      if (prompts.length === 1) await open.promise
      return 'done'
    })
    const context = mainContext({ tools: [sendTool] })
    const first = callTool(agentTool, { ...task, name: 'scout' }, context)
    await settle()
    await callTool(agentTool, task, context)
    await callTool(agentTool, task, mainContext())
    open.open()
    await first
    expect(prompts.map((text) => text.includes('- scout (general-purpose): look around'))).toEqual([
      false,
      true,
      false,
    ])
  })

  it.each(['bypassPermissions', 'auto'] as const)(
    'does not work in the mode %s that a policy forbids',
    async (mode) => {
      const definitions = () => [define('general-purpose', { permissionMode: mode })]
      const request = await firstRequest({}, { definitions, isModeDisabled: (asked) => asked === mode })
      expect(request.permissionMode).toBe('default')
    },
  )

  it('brings what the assembly sets up, and releases it at the end', async () => {
    const released: string[] = []
    const request = await firstRequest(
      {},
      {
        setUp: async ({ id, definition }) => ({
          tools: [fakeTool('mcp__own__x')],
          context: ['Read CLAUDE.md.'],
          system: ['Your memory.'],
          modifyContext: (context) => ({ ...context, flags: { allowsUnreadEdits: true } }),
          release: () => void released.push(definition.name + String(id.length > 0)),
        }),
        onStart: async () => ({ context: ['From a hook.'] }),
      },
    )
    expect(textsOf(request.prompt)).toBe(
      '<system-reminder>\nRead CLAUDE.md.\n</system-reminder>\n<system-reminder>\nFrom a hook.\n</system-reminder>\nFind X.',
    )
    expect(request.tools.map(({ name }) => name)).toContain('mcp__own__x')
    expect(request.system.map(({ text }) => text)).toContain('Your memory.')
    expect(request.context.flags).toEqual({ allowsUnreadEdits: true })
    expect(released).toEqual(['general-purposetrue'])
  })
})

describe('which agent starts', () => {
  it('example 20: finds a type in any spelling', async () => {
    const definitions = () => [define('code-reviewer')]
    const request = await firstRequest({ subagent_type: 'Code Reviewer' }, { definitions })
    expect(request.agent.type).toBe('code-reviewer')
  })

  it('names the agents there are for an unknown type, and where none is the default', async () => {
    const never = () => 'never'
    await expect(runTool(never, { subagent_type: 'nope' })).rejects.toThrow(
      "Agent type 'nope' not found. Available agents: general-purpose, worker",
    )
    await expect(runTool(never, {}, { definitions: () => [define('worker')] })).rejects.toThrow(
      /^subagent_type is required: .* Available agents: worker$/,
    )
  })

  it('example 15: the main thread starts only the types it may; inside an agent the list does not count', async () => {
    const allowedTypes = () => ['worker']
    await expect(runTool(() => 'x', { subagent_type: 'general-purpose' }, { allowedTypes })).rejects.toThrow(
      "Agent type 'general-purpose' not found. Available agents: worker",
    )
    const { agentTool } = setUp(() => 'x', { allowedTypes })
    expect(agentTool.description).not.toContain('general-purpose:')
    const inside = mainContext({ agent: { id: 'a', type: 'worker' }, chain: { id: 'c', depth: 1 } })
    const { data } = await callTool(agentTool, { ...task, subagent_type: 'general-purpose' }, inside)
    expect(data.status).toBe('completed')
  })

  it('example 11: an agent without tools does not start', async () => {
    const definitions = () => [define('general-purpose', { tools: ['Grpe'] })]
    await expect(runTool(() => 'x', {}, { definitions })).rejects.toThrow(
      /zero tools .* unrecognized \[Grpe\]/,
    )
  })

  it('refuses remote isolation, and a worktree where nobody makes one', async () => {
    await expect(runTool(() => 'x', { isolation: 'remote' })).rejects.toThrow('Remote isolation')
    await expect(runTool(() => 'x', { isolation: 'worktree' })).rejects.toThrow(
      'nothing ran in the main checkout',
    )
  })

  it('refuses the name of the main conversation', async () => {
    await expect(runTool(() => 'x', { name: 'main' })).rejects.toThrow(
      'main is the name of the main conversation',
    )
  })

  it('refuses keys that the input does not have', async () => {
    await expect(runTool(() => 'x', { resume: 'a1' })).rejects.toThrow(TypeError)
  })
})

describe('the description', () => {
  it('says when to use it, when not, and who there is', () => {
    const { agentTool } = setUp(() => 'x', { definitions: () => builtInAgents(), tasks: fakeTasks() })
    for (const words of [
      'side by side',
      'only the conclusion counts',
      'use Read',
      'use Grep',
      'two or three files',
      'agents fetch and check',
      '- Explore:',
      'run_in_background',
    ]) {
      expect(agentTool.description).toContain(words)
    }
    expect(setUp(() => 'x').agentTool.description).not.toContain('run_in_background')
  })
})
