import type { Message, SessionRecord } from '@x/contract'
import { describe, expect, test } from 'vitest'
import { play, setUp, tool, types } from './kit.ts'
import {
  blockSteps,
  broken,
  call,
  end,
  fails,
  message,
  type Step,
  scriptedModel,
  start,
  text,
} from './scripted-model.ts'

const toBlocks = (content: Message['content']) => (typeof content === 'string' ? [] : content)
const tools = () => [tool('Read')]
const stop = { type: 'other' as const, raw: { type: 'message_stop' } }

describe('records', () => {
  test('of a turn come in the order of what happens', async () => {
    const played = await play(scriptedModel(message(text('Looking'), call('a', 'Read'))), { tools })
    expect(types(played.records)).toEqual([
      'assistant',
      'progress/start',
      'progress/end',
      'user',
      'assistant',
      'result',
    ])
    expect(played.records[2]).toMatchObject({
      tool_use_id: 'a',
      tool_name: 'Read',
      phase: 'end',
      cause: 'ran',
    })
    expect(played.records[3]).toMatchObject({
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] },
      tool_use_result: 'Read ran',
      parent_tool_use_id: null,
    })
  })

  test('of one message share its id, and each block is in one of them', async () => {
    const scripted = scriptedModel(
      message(text('1'), call('a', 'Read'), text('2'), call('b', 'Read'), text('3')),
    )
    const played = await play(scripted, { tools })
    const records = played.records.filter((record) => record.type === 'assistant').slice(0, 3)
    expect(new Set(records.map((record) => record.message.id)).size).toBe(1)
    expect(records.flatMap((record) => toBlocks(record.message.content))).toEqual(
      played.end.messages[1]?.content,
    )
    expect(records.map((record) => record.message.stop_reason)).toEqual([null, null, 'tool_use'])
    expect(records.at(-1)?.message.usage).toMatchObject({ input_tokens: 10, output_tokens: 5 })
  })

  test('of a result that is ready come while the message still streams', async () => {
    const { promise: seen, resolve: see } = Promise.withResolvers<void>()
    const scripted = scriptedModel([
      start(),
      ...blockSteps(call('a', 'Read'), 0),
      { type: 'wait', until: () => seen },
      ...blockSteps(text('Then'), 1),
      end('tool_use'),
    ])
    const played = await play(scripted, { tools }, (record) => {
      if (record.type === 'user') see()
    })
    expect(types(played.records).slice(0, 5)).toEqual([
      'assistant',
      'progress/start',
      'progress/end',
      'user',
      'assistant',
    ])
    expect(played.result.result).toBe('Done.')
  })

  test('of the stream come only when asked for, and before the message that they make', async () => {
    const script = (): Step[] => [...message(text('Hi')), stop]
    const plain = await play(scriptedModel(script()))
    expect(types(plain.records)).toEqual(['assistant', 'result'])
    const played = await play(scriptedModel(script()), { includePartialMessages: true })
    expect(types(played.records)).toEqual([
      'stream_event',
      'stream_event',
      'stream_event',
      'assistant',
      'result',
    ])
    expect(played.records[0]).toMatchObject({ event: { type: 'message_start' }, ttft_ms: 0 })
    expect(played.records[2]).toMatchObject({ event: { type: 'message_stop' } })
  })

  test('of a text that was seen and is asked for again say that it is withdrawn', async () => {
    const lost = broken(
      [{ type: 'block-delta', index: 0, text: 'He', raw: { type: 'content_block_delta' } }],
      [fails('connection_lost')],
    )
    const script = (): Step[][] => [lost, message(text('Hello'))]
    const played = await play(scriptedModel(...script()), { includePartialMessages: true })
    expect(types(played.records)).toEqual([
      'stream_event',
      'stream_event',
      'system/message_withdrawn',
      'system/api_retry',
      'stream_event',
      'stream_event',
      'assistant',
      'result',
    ])
    expect(JSON.stringify(played.end.messages).match(/Hello/g)).toHaveLength(1)
    const unseen = await play(scriptedModel(...script()))
    expect(types(unseen.records)).toEqual(['system/api_retry', 'assistant', 'result'])
  })

  test('of a denied call name it, also at the end', async () => {
    const played = await play(scriptedModel(message(call('a', 'Read', { file_path: '/x' }))), {
      tools,
      authorize: async () => ({
        behavior: 'deny',
        message: 'Not here.',
        reason: { type: 'rule', detail: 'the rule Read denies it' },
      }),
    })
    expect(played.records).toContainEqual(
      expect.objectContaining({
        subtype: 'permission_denied',
        tool_use_id: 'a',
        message: 'Not here.',
        decision_reason_type: 'rule',
        decision_reason: 'the rule Read denies it',
      }),
    )
    expect(played.result).toMatchObject({
      subtype: 'success',
      permission_denials: [{ tool_name: 'Read', tool_use_id: 'a', tool_input: { file_path: '/x' } }],
    })
  })

  const silent = { context: [], notices: [] }

  test('of a call that a hook denies are its result alone: the hook tells it itself', async () => {
    const played = await play(scriptedModel(message(call('a', 'Read', { file_path: '/x' }))), {
      tools,
      hooks: {
        preToolUse: async () => ({ ...silent, blockingError: 'Not now.' }),
        postToolUse: async () => silent,
        postToolUseFailure: async () => silent,
      },
    })
    expect(types(played.records)).not.toContain('system/permission_denied')
    expect(played.result.permission_denials).toMatchObject([{ tool_use_id: 'a' }])
  })

  test('of a query inside an Agent call carry its id', async () => {
    const played = await play(scriptedModel([fails('overloaded')], message(call('a', 'Read'))), {
      tools,
      parentToolUseId: 'toolu_agent',
    })
    const places = played.records.map((record) => Reflect.get(record, 'parent_tool_use_id'))
    expect(new Set(places.slice(0, -1))).toEqual(new Set(['toolu_agent']))
  })

  test('that nobody takes hold no call back', async () => {
    const { promise: entered, resolve } = Promise.withResolvers<void>()
    const eager = tool('Read', {
      run: async () => {
        resolve()
        return { data: 'ran' }
      },
    })
    const script = message(call('a', 'Read'))
    const { query } = setUp(scriptedModel([...script.slice(0, 1), ...script.slice(1)]), {
      tools: () => [eager],
      includePartialMessages: true,
    })
    const first = await query.next()
    expect(first.value).toMatchObject({ type: 'stream_event' })
    await entered
    const rest: SessionRecord[] = await Array.fromAsync(query)
    expect(types(rest)[0]).toBe('assistant')
  })
})
