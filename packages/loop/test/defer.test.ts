import type { AssistantMessage, Authorize, HistoryLog, Message, ToolHooks, UserMessage } from '@x/contract'
import { describe, expect, test } from 'vitest'
import type { QueryOptions } from '../src/index.ts'
import { play, tool, types } from './kit.ts'
import { call, message, scriptedModel, text } from './scripted-model.ts'

const silent = { context: [], notices: [] }
const hooks: ToolHooks = {
  preToolUse: async () => ({ context: ['lost'], notices: ['told'], verdict: { behavior: 'defer' } }),
  postToolUse: async () => silent,
  postToolUseFailure: async () => silent,
}
const authorize: Authorize = async () => ({
  behavior: 'deny',
  message: 'later',
  reason: { type: 'hook', detail: 'later' },
  isDeferral: true,
})
const putOff = { hooks, authorize }
const prompt: readonly UserMessage[] = [{ role: 'user', content: 'Go' }]
const open: AssistantMessage = { role: 'assistant', id: 'msg_past', content: [call('a', 'Edit')] }

describe('a call that is put off', () => {
  test.each(['streaming', 'batch'] as const)(
    '%s: ends the query with the call, and nothing answers it',
    async (engine) => {
      const scripted = scriptedModel(message(text('Let me see.'), call('a', 'Edit')), message(text('Never')))
      const asked: string[] = []
      const played = await play(scripted, {
        ...putOff,
        engine,
        tools: () => [tool('Edit', { run: async () => (asked.push('ran'), { data: '' }) })],
        afterCalls: () => void asked.push('after'),
        stopHooks: [() => void asked.push('stop')],
      })
      expect(played.result).toMatchObject({
        subtype: 'success',
        is_error: false,
        result: 'Let me see.',
        stop_reason: 'tool_deferred',
        terminal_reason: 'tool_deferred',
        deferred_tool_use: { id: 'a', name: 'Edit', input: {} },
        permission_denials: [],
        num_turns: 1,
      })
      expect(types(played.records)).toEqual([
        'assistant',
        'progress/start',
        'progress/end',
        'system/informational',
        'result',
      ])
      expect([asked, scripted.requests.length]).toEqual([[], 1])
      // The log has the message from its record; what is answered by nobody is not told twice.
      expect(played.log).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Go' }] }])
      expect([played.end.reason, played.faults, played.listeners]).toEqual(['tool_deferred', [], 0])
    },
  )
})

describe('a message whose calls are open', () => {
  const past = prompt

  test('is answered before anything is asked, and logged with its results alone', async () => {
    const scripted = scriptedModel(message(text('It ran.')))
    const played = await playOn(scripted, { prompt: [] })
    expect(played.result).toMatchObject({ result: 'It ran.', terminal_reason: 'completed' })
    const answered: Message = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: 'Edit ran' }],
    }
    expect(scripted.requests[0]?.messages).toEqual([...past, open, answered])
    expect(played.log).toEqual([
      ...past,
      answered,
      { role: 'assistant', id: expect.any(String), content: [text('It ran.')] },
    ])
    expect(types(played.records)).toEqual(['progress/start', 'progress/end', 'user', 'assistant', 'result'])
    expect(played.faults).toEqual([])
  })

  test('comes before the prompt', async () => {
    const scripted = scriptedModel(message(text('Both.')))
    await playOn(scripted, { prompt: [{ role: 'user', content: 'And?' }] })
    expect(scripted.requests[0]?.messages.at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: 'Edit ran' },
        { type: 'text', text: 'And?' },
      ],
    })
  })

  test('tells the log before a call with effects', async () => {
    const told: unknown[] = []
    const history: HistoryLog = {
      append: async () => {},
      beforeCall: async (id, said) => void told.push([id, said]),
    }
    await playOn(scriptedModel(), { prompt: [], history })
    expect(told).toEqual([['a', open]])
  })

  test('may be put off again: the log stays as it is', async () => {
    const scripted = scriptedModel()
    const played = await playOn(scripted, { prompt: [], ...putOff })
    expect(played.result).toMatchObject({ terminal_reason: 'tool_deferred', deferred_tool_use: { id: 'a' } })
    expect([played.log, scripted.requests]).toEqual([past, []])
  })

  test('stays open where the tool is gone; an alias will do', async () => {
    const scripted = scriptedModel()
    const asked: unknown[] = []
    const noting: ToolHooks = { ...hooks, preToolUse: async (view) => (asked.push(view), silent) }
    const played = await playOn(scripted, { prompt: [], hooks: noting, tools: () => [tool('Other')] })
    expect(played.result).toMatchObject({
      subtype: 'success',
      is_error: true,
      result: expect.stringContaining('Edit'),
      stop_reason: 'tool_deferred_unavailable',
      terminal_reason: 'tool_deferred_unavailable',
      deferred_tool_use: { id: 'a', name: 'Edit', input: {} },
    })
    expect([played.log, scripted.requests, asked]).toEqual([past, [], []])
    const renamed = await playOn(scriptedModel(), {
      prompt: [],
      tools: () => [{ ...tool('Change'), aliases: ['Edit'] }],
    })
    expect(renamed.result.terminal_reason).toBe('completed')
  })

  test('is answered when the query is aborted, before the call or in it', async () => {
    const controller = new AbortController()
    controller.abort()
    const running = new AbortController()
    const aborting = tool('Edit', { run: async () => (running.abort(), new Promise(() => {})) })
    for (const options of [{ controller }, { controller: running, tools: () => [aborting] }]) {
      const played = await playOn(scriptedModel(), { prompt: [], ...options })
      expect(played.result.terminal_reason).toMatch(/^aborted/)
      expect(played.end.messages.slice(0, 2)).toEqual([...past, open])
      expect(played.end.messages[2]?.content[0]).toMatchObject({ type: 'tool_result', tool_use_id: 'a' })
      expect([played.log.filter(({ role }) => role === 'assistant'), played.faults]).toEqual([[], []])
    }
  })

  function playOn(scripted: ReturnType<typeof scriptedModel>, more: Partial<QueryOptions>) {
    return play(scripted, {
      messages: past,
      pendingMessage: open,
      tools: () => [tool('Edit', { isReadOnly: false })],
      ...more,
    })
  }
})
