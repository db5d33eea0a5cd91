import type { Message } from '@x/contract'
import { describe, expect, test } from 'vitest'
import { play, tool, types } from './kit.ts'
import { call, fails, message, scriptedModel, text } from './scripted-model.ts'

const tools = () => [tool('Read')]
const block = (blockingError: string) => async () => ({ context: [], notices: [], blockingError })

describe('callbacks after the model has spoken', () => {
  test('run one by one in their order, also when a call runs', async () => {
    const order: string[] = []
    const scripted = scriptedModel(message(call('a', 'Read')), message(text('Hi')))
    await play(scripted, {
      tools,
      postSampling: [
        async ({ messages, message: said }) => {
          order.push(`first begins after ${messages.length} ${said?.role}`)
          await new Promise((resolve) => setImmediate(resolve))
          order.push('first ends')
        },
        () => void order.push('second'),
      ],
    })
    expect(order).toEqual([
      'first begins after 1 assistant',
      'first ends',
      'second',
      'first begins after 3 assistant',
      'first ends',
      'second',
    ])
  })

  test('do not run after an abort while it spoke', async () => {
    const said: string[] = []
    const controller = new AbortController()
    const abort = { type: 'wait' as const, until: async () => controller.abort() }
    await play(scriptedModel(message(text('Hi'), [abort])), {
      controller,
      postSampling: [() => void said.push('called')],
    })
    expect(said).toEqual([])
  })

  test('that fail are reported and change nothing', async () => {
    const order: string[] = []
    const played = await play(scriptedModel(message(text('Hi'))), {
      postSampling: [() => Promise.reject(new Error('no disk')), () => void order.push('second')],
    })
    expect(played.records[1]).toMatchObject({
      subtype: 'informational',
      content: expect.stringContaining('no disk'),
    })
    expect([order, played.result.result]).toEqual([['second'], 'Hi'])
  })

  test('that never end do not hold an abort', async () => {
    const played = await play(
      scriptedModel(message(text('Hi'))),
      { postSampling: [() => new Promise(() => undefined)] },
      (record, { controller }) => {
        if (record.type === 'assistant') setImmediate(() => controller.abort())
      },
    )
    expect(played.listeners).toBe(0)
    expect(played.result.result).toBe('Hi')
  })
})

describe('stop hooks', () => {
  test('are not called any more after an abort', async () => {
    const called: string[] = []
    const controller = new AbortController()
    await play(scriptedModel(message(text('Hi'))), {
      controller,
      stopHooks: [
        () => {
          called.push('first')
          controller.abort()
          return undefined
        },
        () => {
          called.push('second')
          return undefined
        },
      ],
    })
    expect(called).toEqual(['first'])
  })

  test('may send the model on with a reason', async () => {
    let count = 0
    const scripted = scriptedModel(message(text('Finished')), message(text('Really finished')))
    const played = await play(scripted, {
      stopHooks: [
        async ({ lastText, isActive }) => {
          count += 1
          expect([lastText, isActive]).toEqual(count === 1 ? ['Finished', false] : ['Really finished', true])
          return count === 1
            ? { context: [], notices: ['checked'], blockingError: 'Run the tests first.' }
            : undefined
        },
      ],
    })
    expect(scripted.requests[1]?.messages.at(-1)).toEqual({
      role: 'user',
      content: [text('Run the tests first.')],
    })
    expect(types(played.records)).toEqual([
      'assistant',
      'system/informational',
      'user',
      'assistant',
      'result',
    ])
    expect(played.result.result).toBe('Really finished')
  })

  test('cannot do so for ever', async () => {
    const scripted = scriptedModel()
    const played = await play(scripted, { stopHooks: [block('More.')], maxStopHookBlocks: 3 })
    expect(scripted.requests.length).toBe(4)
    expect(played.records.at(-2)).toMatchObject({ subtype: 'informational', level: 'warning' })
    expect(played.result).toMatchObject({ subtype: 'success', terminal_reason: 'completed' })
  })

  test('may do so anew after a turn with calls', async () => {
    const scripted = scriptedModel(message(text('1')), message(call('a', 'Read')), message(text('2')))
    await play(scripted, { tools, stopHooks: [block('More.')], maxStopHookBlocks: 1 })
    expect(scripted.requests.length).toBe(4)
  })

  test('may end the query for good', async () => {
    const stop = async () => ({ context: [], notices: [], stop: { reason: 'enough' } })
    const played = await play(scriptedModel(message(text('Hi'))), { stopHooks: [stop, block('More.')] })
    expect(played.result).toMatchObject({
      subtype: 'success',
      result: 'Hi',
      terminal_reason: 'stop_hook_prevented',
    })
  })

  test('that fail are reported and end nothing', async () => {
    const played = await play(scriptedModel(message(text('Hi'))), {
      stopHooks: [() => Promise.reject(new Error('hook broke'))],
    })
    expect(played.records[1]).toMatchObject({ content: expect.stringContaining('hook broke') })
    expect(played.end.reason).toBe('completed')
  })

  test('do not run after a failure of the service', async () => {
    let runs = 0
    await play(scriptedModel([fails('invalid_request')]), { stopHooks: [() => void (runs += 1)] })
    expect(runs).toBe(0)
  })
})

describe('hooks around calls', () => {
  const quiet = { context: [], notices: [] }
  test('that want no further turn let the calls run and end the query after them', async () => {
    const scripted = scriptedModel(message(call('a', 'Read'), call('b', 'Read')))
    const played = await play(scripted, {
      tools,
      hooks: {
        preToolUse: async ({ toolUseId }) =>
          toolUseId === 'a' ? { ...quiet, stop: { reason: 'enough' } } : quiet,
        postToolUse: async () => ({ ...quiet, context: ['be brief'], notices: ['formatted'] }),
        postToolUseFailure: async () => quiet,
      },
    })
    expect(scripted.requests.length).toBe(1)
    expect(played.result).toMatchObject({ subtype: 'success', terminal_reason: 'hook_stopped' })
    expect(played.end.messages.at(-1)?.content).toMatchObject([
      { tool_use_id: 'a', content: 'Read ran' },
      { tool_use_id: 'b', content: 'Read ran' },
      { type: 'text' },
      { type: 'text' },
    ])
    expect(types(played.records).filter((type) => type === 'system/informational')).toHaveLength(2)
  })
})

describe('waiting messages', () => {
  test('join behind the results of a turn, once', async () => {
    const waiting: Message[] = [{ role: 'user', content: 'And hurry' }]
    const scripted = scriptedModel(message(call('a', 'Read')))
    const played = await play(scripted, {
      tools,
      pendingMessages: () => waiting.splice(0).filter((each) => each.role === 'user'),
    })
    expect(scripted.requests[1]?.messages.at(-1)?.content).toMatchObject([
      { type: 'tool_result', tool_use_id: 'a' },
      text('And hurry'),
    ])
    expect(types(played.records)).toContain('user')
    expect(played.faults).toEqual([])
  })

  test('an interruption cancels only calls that say so', async () => {
    const wait = (name: string, interruptBehavior: 'cancel' | 'block') => ({
      ...tool(name, {
        run: (_input, { abortController }) =>
          new Promise((resolve, reject) => {
            abortController.signal.addEventListener('abort', () => reject(new Error('stopped')))
            if (interruptBehavior === 'block') setTimeout(() => resolve({ data: 'found' }), 5)
          }),
      }),
      interruptBehavior: () => interruptBehavior,
    })
    const scripted = scriptedModel(message(call('a', 'Sleep'), call('b', 'Grep')))
    const played = await play(
      scripted,
      {
        tools: () => [wait('Sleep', 'cancel'), wait('Grep', 'block')],
        pendingMessages: () => [{ role: 'user', content: 'Now this' }],
      },
      (record, { query }) => {
        if (record.type === 'tool_progress' && record.tool_use_id === 'b' && record.phase === 'start')
          query.interrupt()
      },
    )
    expect(scripted.requests[1]?.messages.at(-1)?.content).toMatchObject([
      { tool_use_id: 'a', is_error: true },
      { tool_use_id: 'b', content: 'found' },
      text('Now this'),
    ])
    expect(played.end.reason).toBe('completed')
  })
})

describe('the hook after the calls of a message', () => {
  test('sees each call with its result, and its context goes to the model with them', async () => {
    const seen: unknown[] = []
    const scripted = scriptedModel(message(call('a', 'Read'), call('b', 'Read')), message(text('Hi')))
    const played = await play(scripted, {
      tools,
      afterCalls: ({ calls }) => {
        seen.push(...calls.map(({ call, result }) => [call.id, result.tool_use_id]))
        return { context: ['mind the gap'], notices: ['told'] }
      },
    })
    expect(seen).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ])
    expect(JSON.stringify(scripted.requests[1]?.messages.at(-1))).toContain('mind the gap')
    expect(played.records).toContainEqual(expect.objectContaining({ content: 'told', level: 'notice' }))
    expect([played.faults, played.result.result]).toEqual([[], 'Hi'])
  })

  test.each([
    ['a block', { context: [], notices: [], blockingError: 'enough' }],
    ['a stop', { context: [], notices: [], stop: { reason: 'enough' } }],
  ])('ends the query with %s, and the text stays in the conversation', async (_, outcome) => {
    const scripted = scriptedModel(message(call('a', 'Read')), message(text('Never')))
    const played = await play(scripted, { tools, afterCalls: () => outcome })
    expect(scripted.requests).toHaveLength(1)
    expect(played.end.reason).toBe('hook_stopped')
    expect(JSON.stringify(played.log.at(-1))).toContain('enough')
    expect(played.faults).toEqual([])
  })

  test('that throws is reported, and one that never ends does not hold an abort', async () => {
    const failing = await play(scriptedModel(message(call('a', 'Read')), message(text('Hi'))), {
      tools,
      afterCalls: () => Promise.reject(new Error('boom')),
    })
    expect(JSON.stringify(failing.records)).toContain('boom')
    expect(failing.result.result).toBe('Hi')
    const controller = new AbortController()
    const aborted = await play(scriptedModel(message(call('a', 'Read'))), {
      tools,
      controller,
      afterCalls: () => {
        controller.abort()
        return new Promise(() => undefined)
      },
    })
    expect(aborted.end.reason).toBe('aborted_tools')
    expect(aborted.faults).toEqual([])
  })
})
