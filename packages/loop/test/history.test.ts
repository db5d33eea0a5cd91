import { type Message, repairHistory } from '@x/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { play, tool } from './kit.ts'
import {
  blockSteps,
  call,
  end,
  message,
  type ScriptedModel,
  scriptedModel,
  start,
  text,
} from './scripted-model.ts'

const tools = () => [tool('Read')]

/** Adds to a model the check that what it is sent is what the log says. */
function strict(model: ScriptedModel, log: Message[]): ScriptedModel {
  return {
    ...model,
    stream(request) {
      expect(repairHistory(log).messages).toEqual(request.messages)
      return model.stream(request)
    },
  }
}

describe('the log', () => {
  test('holds what a request contains before it is sent', async () => {
    const log: Message[] = []
    const scripted = scriptedModel(
      message(call('a', 'Read')),
      message(text('Wait'), 'pause_turn'),
      message(text('Hi')),
    )
    const history = {
      append: async (messages: readonly Message[]) => {
        await new Promise((resolve) => setImmediate(resolve))
        log.push(...messages)
      },
    }
    const played = await play(strict(scripted, log), { tools, history })
    expect(scripted.requests.length).toBe(3)
    expect(repairHistory(log).messages).toEqual(played.end.messages)
    expect(played.end.added).toEqual(played.end.messages)
  })

  test('that fails stops the query: nothing unlogged is sent', async () => {
    const scripted = scriptedModel()
    const history = { append: () => Promise.reject(new Error('disk full')) }
    const played = await play(scripted, { history })
    expect(scripted.requests).toEqual([])
    expect(played.result).toMatchObject({
      subtype: 'error_during_execution',
      errors: ['disk full'],
      terminal_reason: 'model_error',
    })
  })

  test('that fails at the end makes the query one that failed', async () => {
    let appends = 0
    const history = {
      append: async () => {
        appends += 1
        if (appends === 2) throw new Error('disk full')
      },
    }
    const played = await play(scriptedModel(message(text('Hi'))), { history })
    expect(played.result).toMatchObject({ subtype: 'error_during_execution', errors: ['disk full'] })
  })

  test('gets only what is new', async () => {
    const past: Message[] = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: [text('Hi')] },
    ]
    const played = await play(scriptedModel(message(text('Fine'))), { messages: past })
    expect(played.log.slice(2)).toEqual(played.end.added)
    expect(played.end.messages.slice(0, 2)).toEqual(past)
  })
})

describe('a history that comes with a hole', () => {
  const ask: Message = { role: 'user', content: 'Hello' }
  const calls: Message = { role: 'assistant', content: [call('a', 'Read'), call('b', 'Read')] }
  const half: Message = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'A' }] }
  const late: Message = { role: 'assistant', content: [text('So')] }

  test.each([
    ['at its end', [ask, calls, half]],
    ['at its very end', [ask, calls]],
    ['in the middle', [ask, calls, half, late]],
    ['and a result before its call', [half, ask, calls]],
  ])('%s makes a valid request, and says so', async (_name, messages) => {
    const scripted = scriptedModel(message(text('Fine')))
    const played = await play(scripted, { messages })
    expect(played.faults).toEqual([])
    expect(played.records[0]).toMatchObject({ subtype: 'informational', level: 'warning' })
    expect(repairHistory(played.log).messages).toEqual(played.end.messages)
    expect(JSON.stringify(scripted.requests[0]?.messages)).toContain('Go')
  })
})

describe('what the model says', () => {
  test('with a call id that is empty or was used before gets a new one', async () => {
    const seen: unknown[] = []
    const noting = tool('Read', {
      run: async (input) => {
        seen.push(input)
        return { data: JSON.stringify(input) }
      },
    })
    const scripted = scriptedModel(
      message(call('x', 'Read', { n: 1 }), call('x', 'Read', { n: 2 }), call('', 'Read', { n: 3 })),
      message(call('x', 'Read', { n: 4 })),
    )
    const played = await play(scripted, { tools: () => [noting] })
    expect(seen).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }])
    const results = played.end.messages.filter(({ role }) => role === 'user').slice(1)
    expect(results.flatMap(({ content }) => (typeof content === 'string' ? [] : content))).toMatchObject([
      { tool_use_id: 'x', content: '{"n":1}' },
      { tool_use_id: 'x_1', content: '{"n":2}' },
      { tool_use_id: 'call_1', content: '{"n":3}' },
      { tool_use_id: 'x_2', content: '{"n":4}' },
    ])
    expect(played.faults).toEqual([])
  })

  test('goes back byte-equal: thoughts in place, empty text left out', async () => {
    const thought = { type: 'thinking' as const, thinking: '', signature: 'sig' }
    const secret = { type: 'redacted_thinking' as const, data: 'x' }
    const scripted = scriptedModel(message(thought, secret, text(' '), text('So'), call('a', 'Read')))
    const played = await play(scripted, { tools })
    expect(scripted.requests[1]?.messages[1]?.content).toEqual([
      thought,
      secret,
      text('So'),
      call('a', 'Read'),
    ])
    expect(played.faults).toEqual([])
  })

  test('with half a character is mended before it is logged', async () => {
    const scripted = scriptedModel(message(text('half \ud83d'), call('a', 'Read')))
    const played = await play(scripted, { tools })
    expect(JSON.stringify(scripted.requests[1]?.messages).isWellFormed()).toBe(true)
    expect(played.log).toEqual(played.end.messages)
  })
})

describe('tools', () => {
  test('are asked for in each turn, and keep their place and their bytes', async () => {
    const [read, edit, grep] = [tool('Read'), tool('Edit'), tool('Grep')]
    const lists = [[edit, read], [grep, read, edit], [read]]
    const scripted = scriptedModel(message(call('a', 'Read')), message(call('b', 'Read')))
    await play(scripted, { tools: () => lists.shift() ?? [] })
    const sent = scripted.requests.map((request) => request.tools)
    expect(sent.map((list) => list.map(({ name }) => name))).toEqual([
      ['Edit', 'Read'],
      ['Edit', 'Read', 'Grep'],
      ['Read'],
    ])
    expect(sent[1]?.[0]).toBe(sent[0]?.[0])
  })

  test('are described by the input side of their schema, or by the one they bring', async () => {
    const derived = { ...tool('Read'), inputSchema: z.strictObject({ limit: z.number().default(5) }) }
    const own = { ...tool('Mcp'), inputJsonSchema: { type: 'object' as const, properties: { q: {} } } }
    const scripted = scriptedModel()
    await play(scripted, { tools: () => [derived, own] })
    expect(scripted.requests[0]?.tools.map((definition) => definition.input_schema)).toEqual([
      { type: 'object', properties: { limit: { default: 5, type: 'number' } }, additionalProperties: false },
      { type: 'object', properties: { q: {} } },
    ])
  })

  test('that cannot be listed or described end the query with an error', async () => {
    for (const broken of [
      () => {
        throw new Error('server gone')
      },
      () => [{ ...tool('Odd'), inputSchema: z.string() }],
    ]) {
      const played = await play(scriptedModel(), { tools: broken })
      expect(played.result.is_error).toBe(true)
      expect(played.faults).toEqual([])
    }
  })

  test('see the conversation before them, and may move the working folder', async () => {
    const seen: unknown[] = []
    const move = tool('Cd', {
      isReadOnly: false,
      run: async (_input, { cwd, messages, options }) => {
        seen.push([cwd, messages.length, options.model, options.tools.length])
        return { data: 'moved', contextModifier: (context) => ({ ...context, cwd: `${cwd}/sub` }) }
      },
    })
    const scripted = scriptedModel(message(call('a', 'Cd')), message(call('b', 'Cd')))
    const played = await play(scripted, { tools: () => [move] })
    expect(seen).toEqual([
      ['/project', 1, 'main', 1],
      ['/project/sub', 3, 'main', 1],
    ])
    expect(played.end.context.cwd).toBe('/project/sub/sub')
  })

  test('may add messages behind all results', async () => {
    const speaking = tool('Skill', {
      run: async () => ({ data: 'ok', newMessages: [{ role: 'user', content: 'Follow these steps.' }] }),
    })
    const scripted = scriptedModel([
      start(),
      ...blockSteps(call('a', 'Skill'), 0),
      ...blockSteps(call('b', 'Read'), 1),
      end('tool_use'),
    ])
    const played = await play(scripted, { tools: () => [speaking, tool('Read')] })
    expect(scripted.requests[1]?.messages.at(-1)?.content).toMatchObject([
      { tool_use_id: 'a' },
      { tool_use_id: 'b' },
      text('Follow these steps.'),
    ])
    expect(played.records).toContainEqual(expect.objectContaining({ type: 'user', isSynthetic: true }))
  })
})

describe('a call that may change something', () => {
  test('is written down with the blocks before it, before it begins', async () => {
    const written: unknown[] = []
    const scripted = scriptedModel(message(text('So'), call('a', 'Write')), message(text('Hi')))
    await play(scripted, {
      tools: () => [tool('Write', { isReadOnly: false, run: async () => ({ data: written.push('began') }) })],
      history: {
        append: async () => {},
        beforeCall: async (id, { content }) => void written.push(id, structuredClone(content)),
      },
    })
    expect(written).toEqual([
      'a',
      [
        expect.objectContaining({ type: 'text', text: 'So' }),
        expect.objectContaining({ type: 'tool_use', id: 'a' }),
      ],
      'began',
    ])
  })
})
