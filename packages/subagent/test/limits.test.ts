import type { AgentRequest } from '@x/contract'
import { callTool } from '@x/contract'
import { describe, expect, it } from 'vitest'
import { createBudget } from '../src/index.ts'
import {
  call,
  define,
  fakeTool,
  gate,
  mainContext,
  runTool,
  say,
  scriptedLoop,
  settle,
  setUp,
  task,
  textsOf,
} from './kit.ts'

describe('limits', () => {
  it('example 21: the 21st agent is refused while 20 run', async () => {
    const open = gate()
    const { agentTool } = setUp(async () => {
      await open.promise
      return 'done'
    })
    const running = Array.from({ length: 20 }, () => callTool(agentTool, task, mainContext()))
    await settle()
    await expect(callTool(agentTool, task, mainContext())).rejects.toThrow(
      'Concurrent subagent limit reached',
    )
    open.open()
    await Promise.all(running)
    await expect(callTool(agentTool, task, mainContext())).resolves.toMatchObject({
      data: { status: 'completed' },
    })
  })

  it('reads both limits from the environment', async () => {
    const env = { CLAUDE_CODE_MAX_SUBAGENT_SPAWN_DEPTH: '1', CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS: 'many' }
    const { agentTool } = setUp(() => 'x', { env })
    const inside = mainContext({ chain: { id: 'c', depth: 1 } })
    await expect(callTool(agentTool, task, inside)).rejects.toThrow('Agent depth limit reached')
  })

  it('example 22: an agent at layer 3 has no Agent tool', async () => {
    const seen: [number, boolean][] = []
    const { agentTool } = setUp((request, messages) => {
      const hasAgent = request.tools.some(({ name }) => name === 'Agent')
      seen.push([request.context.chain.depth, hasAgent])
      return hasAgent && messages.length === 1 ? [call('Agent', task)] : 'done'
    })
    await callTool(agentTool, task, mainContext({ tools: [agentTool, fakeTool('Read')] }))
    expect(seen.filter(([depth]) => depth === 3)).toEqual([[3, false]])
    expect(Math.max(...seen.map(([depth]) => depth))).toBe(3)
  })

  it('starts nobody when the session’s budget is spent', async () => {
    const budget = createBudget({ maxCostUsd: 1 })
    budget.spend({ costUsd: 1 })
    await expect(runTool(() => 'x', {}, { budget })).rejects.toThrow(
      'Budget limit reached: the budget of $1 is spent',
    )
  })

  it('starts no more agents than a session may have', async () => {
    const { agentTool } = setUp(() => 'x', { limits: { maxAgents: 1 } })
    await callTool(agentTool, task, mainContext())
    await expect(callTool(agentTool, task, mainContext())).rejects.toThrow('Agent limit reached')
  })

  it.each([
    ['tokens', { maxTokens: 40 }],
    ['calls', { maxCalls: 2 }],
  ])('stops an agent whose budget of %s is used up, and lets it report', async (_name, limits) => {
    const requests: AgentRequest[] = []
    const { data, text } = await runTool(
      (request, messages) => {
        requests.push(request)
        return request.isReport ? 'As far as I came: half.' : [say(`step ${messages.length}`), call('Read')]
      },
      {},
      { limitsPerAgent: limits },
    )
    expect(data.status).toBe('limit')
    expect(text).toContain('As far as I came: half.\n\n[The agent did not finish: the budget of')
    expect(requests.filter(({ isReport }) => isReport)).toHaveLength(1)
  })

  it('cuts off no call: what was asked for before the limit is done', async () => {
    const done: unknown[] = []
    const tools = [fakeTool('Read', () => settle().then(() => done.push('read')))]
    const { agentTool } = setUp(
      (request, messages) =>
        request.isReport ? 'report' : [say(`step ${messages.length}`), call('Read'), call('Read')],
      { limitsPerAgent: { maxCalls: 2 } },
    )
    const { data } = await callTool(agentTool, task, mainContext({ tools }))
    expect(data).toMatchObject({ status: 'limit', report: { lastText: 'report' } })
    expect(done).toHaveLength(2)
  })

  it('is no matter to an agent that has finished with the last of it', async () => {
    const { data } = await runTool(
      (_, messages) => (messages.length === 1 ? [call('Read')] : 'all done'),
      {},
      { limitsPerAgent: { maxTokens: 30 } },
    )
    expect(data).toMatchObject({ status: 'completed', report: { lastText: 'all done' } })
  })

  it('sends nobody on when there is nothing left: what it was to hear is part of the last turn', async () => {
    const seen: string[] = []
    const { data } = await runTool(
      (request, messages) => {
        seen.push(textsOf(messages))
        return request.isReport ? 'report' : 'all done'
      },
      {},
      {
        limitsPerAgent: { maxTokens: 10 },
        onStop: async () => ({ context: [], notices: [], blockingError: 'Not yet.' }),
      },
    )
    expect(data).toMatchObject({ status: 'limit', report: { lastText: 'report' } })
    expect(seen).toHaveLength(2)
    expect(seen[1]).toMatch(/Not yet\.[\s\S]*the budget of 10 tokens is spent/)
  })

  it('ends a loop that never asks between turns at its next answer', async () => {
    const { data } = await runTool(
      ({ isReport }) => (isReport ? 'report' : [call('Read')]),
      {},
      {
        limitsPerAgent: { maxCalls: 3 },
        runAgent: (request) =>
          scriptedLoop(({ isReport }) => (isReport ? 'report' : [call('Read')]))({
            ...request,
            pendingMessages: () => [],
          }),
      },
    )
    expect(data).toMatchObject({ status: 'limit', report: { lastText: 'report' } })
  })

  it('lets children spend from their parents: the money is gone for all', async () => {
    const budget = createBudget({ maxTokens: 100 })
    const { agentTool } = setUp(
      (request, messages) => {
        if (request.isReport) return 'stopped early'
        const isChild = request.context.chain.depth > 1
        return isChild || messages.length > 1 ? [call('Read')] : [call('Agent', task), call('Agent', task)]
      },
      { budget },
    )
    const tools = [agentTool, fakeTool('Read')]
    const { data } = await callTool(agentTool, task, mainContext({ tools }))
    expect(data).toMatchObject({ status: 'limit', report: { error: 'the budget of 100 tokens is spent' } })
    // Three agents were at it, and each had one more turn to report.
    expect(budget.spent.tokens).toBeLessThan(100 + 6 * 15)
  })

  it('lets the children of an agent spend from its own limit', async () => {
    const { agentTool } = setUp(
      (request, messages) => {
        if (request.isReport) return 'report'
        if (request.context.chain.depth === 2) return messages.length < 6 ? [call('Read')] : 'child done'
        return messages.length === 1 ? [call('Agent', task)] : 'parent done'
      },
      { limitsPerAgent: { maxCalls: 4 } },
    )
    const seen: unknown[] = []
    const tools = [agentTool, fakeTool('Read', ({ agent }) => void seen.push(agent?.id))]
    const { data } = await callTool(agentTool, task, mainContext({ tools }))
    // One call of its own and three of its child.
    expect(data).toMatchObject({ status: 'limit', report: { error: 'the budget of 4 tool calls is spent' } })
    expect(seen).toHaveLength(3)
  })

  it('stops an agent whose loop does not keep the limit of turns', async () => {
    const definitions = () => [define('general-purpose', { maxTurns: 2 })]
    const { data } = await runTool(
      (request) => (request.isReport ? 'report' : [call('Read')]),
      {},
      {
        definitions,
        runAgent: (request) => {
          const { maxTurns: _maxTurns, ...rest } = request
          return scriptedLoop(({ isReport }) => (isReport ? 'report' : [call('Read')]))(rest)
        },
      },
    )
    expect(data).toMatchObject({
      status: 'limit',
      report: { error: 'the limit of 2 turns is reached', lastText: 'report' },
    })
  })

  it('lets an agent report on what it wrote down when its loop rejects at the limit', async () => {
    const { data } = await runTool(
      () => 'x',
      {},
      {
        limitsPerAgent: { maxCalls: 1 },
        runAgent: async (request) => {
          const said = { role: 'assistant' as const, content: [say('found it'), call('Read')] }
          if (request.isReport) {
            const text = `known: ${textsOf(request.history)}`
            return {
              reason: 'completed',
              messages: [...request.history, { role: 'assistant', content: text }],
            }
          }
          await request.log.append([...request.prompt, said])
          request.onEvent({ type: 'assistant', message: said, parent_tool_use_id: null })
          request.pendingMessages()
          request.signal.throwIfAborted()
          return { reason: 'completed', messages: [] }
        },
      },
    )
    expect(data).toMatchObject({ status: 'limit' })
    expect(JSON.stringify(data)).toContain('known: Find X.\\nfound it')
  })

  it('starts no report beside a run that does not end', async () => {
    let runs = 0
    const { data } = await runTool(
      () => 'x',
      {},
      {
        limitsPerAgent: { maxMs: 10 },
        abortGraceMs: 5,
        runAgent: () => {
          runs += 1
          return new Promise(() => {})
        },
      },
    )
    expect([data.status, runs]).toEqual(['limit', 1])
  })

  it('stops an agent when its time is over', async () => {
    const { data } = await runTool(
      async (request) => {
        if (request.isReport) return 'too slow'
        await new Promise(() => {})
        return 'never'
      },
      {},
      { limitsPerAgent: { maxMs: 20 } },
    )
    expect(data).toMatchObject({
      status: 'limit',
      report: { error: 'the time of 20 ms is over', lastText: 'too slow' },
    })
  })
})
