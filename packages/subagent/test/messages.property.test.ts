import { AbortReason } from '@x/abort'
import { callTool, type Message } from '@x/contract'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemorySidechains, type Sidechains } from '../src/index.ts'
import { fakeTasks } from './fake-tasks.ts'
import { call, define, fakeTool, gate, mainContext, settle, setUp, task, textsOf } from './kit.ts'

/** A transcript that takes its time at every step. */
function slowSidechains(wait: () => Promise<void>): Sidechains {
  const memory = createMemorySidechains()
  return {
    async open(agentId, meta) {
      await wait()
      const sidechain = await memory.open(agentId, meta)
      return {
        append: async (messages) => (await wait(), sidechain.append(messages)),
        close: async (end) => (await wait(), sidechain.close(end)),
      }
    },
    async find(id) {
      const found = await memory.find(id)
      // What was read is old by the time it is there.
      await wait()
      return found
    },
  }
}

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('messages to one agent, at any time and in any number', () => {
  it('are each read once, in the order they were sent, if the sender was told so', async () => {
    const sends = fc.array(fc.record({ at: fc.nat(30), byName: fc.boolean() }), {
      minLength: 1,
      maxLength: 8,
    })
    await fc.assert(
      fc.asyncProperty(sends, fc.array(fc.nat(3), { minLength: 1, maxLength: 30 }), async (sent, delays) => {
        let step = 0
        const wait = () => ticks(delays[(step += 1) % delays.length] ?? 0)
        const sidechains = slowSidechains(wait)
        const tasks = fakeTasks()
        const requests: (readonly Message[])[] = []
        const { agentTool, sendTool, agents } = setUp(
          async (_request, messages) => {
            requests.push([...messages])
            await wait()
            return messages.length % 4 === 1 ? [call('Read')] : 'done'
          },
          { tasks, sidechains, setUp: async () => (await wait(), {}) },
        )
        const { data } = await callTool(
          agentTool,
          { ...task, name: 'worker', run_in_background: true },
          mainContext(),
        )
        const order: number[] = []
        await Promise.all(
          sent
            .map((one, index) => ({ ...one, index }))
            .toSorted((one, other) => one.at - other.at)
            .map(async ({ at, byName, index }) => {
              await ticks(at)
              order.push(index)
              const to = byName ? 'worker' : data.agentId
              await callTool(sendTool, { to, message: `message-${index}-` }, mainContext())
            }),
        )
        for (let round = 0; round < 100 && agents.running.length > 0; round += 1) await ticks(20)
        expect(agents.running).toEqual([])
        const last = requests.at(-1) ?? []
        const heard = [...textsOf(last).matchAll(/>\nmessage-(\d+)-/g)].map(([, index]) => Number(index))
        expect(heard).toEqual(order)
        const stored = (await sidechains.find(data.agentId))?.messages ?? []
        expect(textsOf(stored)).toContain(textsOf(last))
      }),
      { numRuns: 60 },
    )
  })
})

describe('a message to an agent that is being made ready', () => {
  it('is not told as sent where the agent then does not start', async () => {
    const open = gate()
    const { agentTool, sendTool } = setUp(() => 'never', {
      setUp: async () => {
        await open.promise
        throw new Error('no server')
      },
    })
    const starting = callTool(agentTool, { ...task, name: 'worker' }, mainContext())
    await settle()
    const sending = callTool(sendTool, { to: 'worker', message: 'hello' }, mainContext())
    await settle()
    open.open()
    await expect(starting).rejects.toThrow('no server')
    await expect(sending).rejects.toThrow('There is no agent "worker"')
  })

  it('waits no longer than its own call', async () => {
    const open = gate()
    const controller = new AbortController()
    const { agentTool, sendTool } = setUp(() => 'done', { setUp: async () => (await open.promise, {}) })
    const starting = callTool(agentTool, { ...task, name: 'worker' }, mainContext())
    await settle()
    const context = mainContext({ abortController: controller })
    const sending = callTool(sendTool, { to: 'worker', message: 'hello' }, context)
    await settle()
    controller.abort(new AbortReason('user-cancel'))
    await expect(sending).rejects.toBe(controller.signal.reason)
    open.open()
    expect((await starting).data.status).toBe('completed')
  })
})

describe('a message to an agent that is ending', () => {
  it('by an agent of its own does not hold it up', async () => {
    const [isEnding, isWaiting] = [gate(), gate()]
    const memory = createMemorySidechains()
    const tasks = fakeTasks()
    let parent = ''
    const { agentTool, sendTool, agents } = setUp(
      async ({ agent, isReport }, messages) => {
        if (agent.type === 'worker') return messages.length === 1 ? [call('Write')] : 'child done'
        if (!isReport) return [call(messages.length === 1 ? 'Start' : 'Read')]
        await callTool(sendTool, { to: agent.id, message: 'unread' }, mainContext())
        return 'my report'
      },
      {
        tasks,
        abortGraceMs: 600_000,
        definitions: () => [define('general-purpose', { maxTurns: 1 }), define('worker')],
        sidechains: {
          find: (id) => memory.find(id),
          async open(agentId, meta) {
            const sidechain = await memory.open(agentId, meta)
            return {
              ...sidechain,
              async append(messages) {
                // Written down at the end, because nobody read it.
                if (textsOf(messages.slice(0, 1)).includes('unread')) {
                  isEnding.open()
                  await isWaiting.promise
                }
                await sidechain.append(messages)
              },
            }
          },
        },
      },
    )
    const tools = [
      fakeTool('Start', async (context) => {
        parent = context.agent?.id ?? ''
        const input = { ...task, subagent_type: 'worker', run_in_background: true }
        await callTool(agentTool, input, { ...context, toolUseId: 'toolu_c' })
      }),
      fakeTool('Write', async (context) => {
        await isEnding.promise
        const sending = callTool(sendTool, { to: parent, message: 'hello' }, context)
        await settle()
        isWaiting.open()
        await sending
      }),
    ]
    const { data } = await callTool(agentTool, task, mainContext({ tools }))
    expect(data.status).toBe('limit')
    expect(agents.running).toEqual([])
  })
})

describe('a flood of messages', () => {
  it('ends with an error for the sender, to an agent and to the main conversation', async () => {
    const open = gate()
    const tasks = fakeTasks()
    const { agentTool, sendTool, agents } = setUp(() => open.promise.then(() => 'done'), { tasks })
    const { data } = await callTool(agentTool, { ...task, run_in_background: true }, mainContext())
    await settle()
    const send = (to: string, context = mainContext()) => callTool(sendTool, { to, message: 'x' }, context)
    for (let count = 0; count < 100; count += 1) await send(data.agentId)
    await expect(send(data.agentId)).rejects.toThrow('Nothing was sent')
    const inside = mainContext({ agent: { id: data.agentId, type: 'general-purpose' } })
    for (let count = 0; count < 100; count += 1) await send('main', inside)
    await expect(send('main', inside)).rejects.toThrow('Nothing was sent')
    agents.notices.take()
    open.open()
    await agents.close()
  })
})
