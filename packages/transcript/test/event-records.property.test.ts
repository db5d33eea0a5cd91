import { join } from 'node:path'
import type { SessionEvent } from '@x/contract'
import { openTranscript, readEvents, toEvents, toRecords } from '@x/transcript'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assistantEvent, call, event, text, userEvent } from './builders.ts'
import { makeFolder } from './world.ts'

const place = {
  parentUuid: '99999999-0000-4000-8000-000000000000',
  timestamp: '2026-01-02T03:04:05.678Z',
  cwd: '/here',
  version: '1',
  gitBranch: 'main',
}

// What JSON gives back as it was: no -0, nothing undefined.
const json = fc.json({ maxDepth: 2 }).map((value): unknown => JSON.parse(value))
const fieldName = fc.oneof(
  fc.constantFrom(
    'content',
    'level',
    'message',
    'cwd',
    'version',
    'uuid_',
    'isMeta',
    'compactMetadata',
    'eventFields',
  ),
  fc.constantFrom(
    'tool_use_result',
    'mcp_meta',
    'parentUuid',
    'isSynthetic',
    'parentToolUseId',
    'constructor',
    'toString',
  ),
  fc.string({ minLength: 1, maxLength: 8 }).filter((name) => !reserved.has(name)),
)
const reserved = new Set([
  'type',
  'subtype',
  'uuid',
  'session_id',
  'sequence',
  'parent_tool_use_id',
  '__proto__',
])
const extra = fc.dictionary(fieldName, json, { maxKeys: 4, noNullPrototype: true })
const agent = fc.constantFrom(null, null, 'toolu_1')
const block = fc.oneof(
  fc.string().map(text),
  fc.record({ type: fc.constant('thinking'), thinking: fc.string(), signature: fc.string() }),
  fc.string().map((id) => call(id, { ä: [1] })),
)
const content = fc.oneof(fc.string(), fc.array(block, { maxLength: 4 }))
const id = fc.option(fc.constantFrom('msg_1', 'msg_2'), { nil: undefined })

const withoutMessage = extra.map(({ message: _message, ...rest }) => rest)
const fields: fc.Arbitrary<object> = fc.oneof(
  fc.record({
    type: fc.constant('assistant'),
    message: fc
      .record({ content, id, stop_reason: fc.constantFrom(null, 'end_turn') })
      .map(({ id, ...rest }) => ({ role: 'assistant', ...(id !== undefined && { id }), ...rest })),
    parent_tool_use_id: agent,
    extra: withoutMessage,
  }),
  fc.record({
    type: fc.constant('user'),
    message: content.map((each) => ({ role: 'user', content: each })),
    parent_tool_use_id: agent,
    extra: withoutMessage,
  }),
  fc.record(
    {
      type: fc.constant('system'),
      subtype: fc.constantFrom('init', 'informational', 'api_retry', 'compact_boundary', 'task_notification'),
      compact_metadata: fc.record({ trigger: fc.constantFrom('auto', 'manual'), pre_tokens: fc.nat() }),
      parent_tool_use_id: agent,
      extra,
    },
    { requiredKeys: ['type', 'subtype', 'extra'] },
  ),
  fc.record({ type: fc.constant('result'), subtype: fc.constant('success'), is_error: fc.boolean(), extra }),
)
const events = fc
  .array(fields, { maxLength: 6 })
  .map((list) => list.map((each, sequence) => toEvent(sequence, each)))

function toEvent(sequence: number, { extra = {}, ...own }: { extra?: object }): SessionEvent {
  return event(sequence, { ...extra, ...own })
}

function throughDisk<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value))
}

describe('events and records', () => {
  test('are each other’s inverse', () => {
    fc.assert(
      fc.property(events, (list) => {
        const records = list.flatMap((each) => toRecords(each, place))
        expect(toEvents(throughDisk(records))).toEqual(list)
      }),
      { numRuns: 500 },
    )
  })

  test('come back from a file, those of agents too', async () => {
    const folder = makeFolder()
    let count = 0
    await fc.assert(
      fc.asyncProperty(events, fc.integer({ min: -1, max: 6 }), async (list, after) => {
        const path = join(folder, `${(count += 1)}.jsonl`)
        await using transcript = await openTranscript(path)
        await transcript.appendEvents(list)
        const found = await Array.fromAsync(readEvents(path, { after }))
        expect(found).toEqual(list.slice(after + 1))
      }),
      { numRuns: 100 },
    )
  })

  test('the same event gives the same records', () => {
    const told = assistantEvent(3, { role: 'assistant', content: [text('a'), call('t1')], id: 'msg_1' })
    expect(toRecords(told, place)).toEqual(toRecords(told, place))
    expect(toRecords(told, place).map(({ parentUuid }) => parentUuid)).toEqual([
      place.parentUuid,
      toRecords(told, place)[0]?.uuid,
    ])
  })

  test('the last record of an event has its name, and all share what the message says of itself', () => {
    const told = assistantEvent(3, {
      role: 'assistant',
      content: [text('a'), call('t1')],
      id: 'msg_1',
      usage: { x: 1 },
    })
    const records = toRecords(told, place)
    expect(records.at(-1)?.uuid).toBe(told.uuid)
    expect(records.map((record) => record['message'])).toEqual([
      { role: 'assistant', content: [text('a')], id: 'msg_1', usage: { x: 1 } },
      { role: 'assistant', content: [call('t1')], id: 'msg_1', usage: { x: 1 } },
    ])
  })

  test('have the documented fields', () => {
    const told = userEvent(
      3,
      { role: 'user', content: 'x' },
      { tool_use_result: 1, mcp_meta: {}, isSynthetic: true },
    )
    expect(toRecords(told, place)[0]).toMatchObject({
      toolUseResult: 1,
      mcpMeta: {},
      isMeta: true,
      sequence: 3,
    })
  })

  test('what passes by has no record', () => {
    expect(toRecords(event(0, { type: 'stream_event', event: {}, parent_tool_use_id: null }), place)).toEqual(
      [],
    )
    expect(
      toRecords(event(1, { type: 'tool_progress', tool_use_id: 'a', parent_tool_use_id: null }), place),
    ).toEqual([])
    expect(toRecords(event(2, { type: 'system', subtype: 'task_progress', task_id: 'a' }), place)).toEqual([])
  })
})
