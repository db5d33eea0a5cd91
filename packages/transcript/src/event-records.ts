import { createHash } from 'node:crypto'
import type { JsonObject, SessionEvent } from '@x/contract'
import { chainFields, isObject, type RecordPlace, splitMessage, type TranscriptRecord } from './record.ts'

/** Tells whether an event is kept: partial messages and progress pass by, but for their numbers. */
export function isDurable(event: SessionEvent): boolean {
  if (event.type === 'system') return event.subtype !== 'task_progress'
  return event.type !== 'stream_event' && event.type !== 'tool_progress'
}

/**
 * Turns a session event into its records: one for each block of a model message, else one. None for an event that passes by.
 *
 * Pure: the same event and place give the same records. The last record has the event's `uuid`, so that a history up to it holds the
 * whole event. An event of an agent inside a main transcript is marked as a sidechain.
 */
export function toRecords(event: SessionEvent, place: RecordPlace): readonly TranscriptRecord[] {
  if (!isDurable(event)) return []
  const { type, session_id: sessionId, uuid, sequence, ...fields } = event
  const agentCall = 'parent_tool_use_id' in fields ? fields.parent_tool_use_id : undefined
  const isSidechain = place.agentId !== undefined || typeof agentCall === 'string'
  const rest = {
    ...placeOfAgent(type, agentCall),
    ...toFields(fields, isPlain(type) ? passedApart : placeNames),
  }
  const messages = toMessages(event)
  if (type === 'result') return [toResult(event, place, rest)]
  let { parentUuid } = place
  return messages.map((message, index) => {
    const own = { uuid: partUuid(uuid, messages.length - 1 - index), sessionId, isSidechain }
    const record = chainFields(type, { ...place, parentUuid }, own)
    parentUuid = own.uuid
    return { ...record, sequence, ...rest, ...(message !== undefined && { message }) }
  })
}

/**
 * Turns records back into the session events they hold, in file order. The inverse of {@link toRecords}: records that hold no event
 * (no `sequence`) are left out, the records of one event become one.
 */
export function toEvents(records: Iterable<TranscriptRecord>): readonly SessionEvent[] {
  const events: JsonObject[] = []
  for (const record of records) {
    const event = toEvent(record)
    if (event === undefined) continue
    const joined = joinParts(events.at(-1), event)
    if (joined !== undefined) events.pop()
    events.push(joined ?? event)
  }
  // The edge between data from a disk and the types: the fields of the stamp have been looked at.
  return events as unknown as readonly SessionEvent[]
}

const eventTypes = new Set(['user', 'assistant', 'system', 'result'])

/** Fields whose names differ between event and record. */
const recordNames: Readonly<Record<string, string>> = {
  tool_use_result: 'toolUseResult',
  mcp_meta: 'mcpMeta',
  isSynthetic: 'isMeta',
  request_id: 'requestId',
}
const eventNames = new Map(Object.entries(recordNames).map(([event, record]) => [record, event]))

/** Fields that a record has for itself; an event's field of such a name stands in `eventFields`. */
const ownFields = new Set([
  ...Object.values(recordNames),
  'type',
  'uuid',
  'parentUuid',
  'logicalParentUuid',
  'isSidechain',
  'userType',
  'sessionId',
  'cwd',
  'version',
  'gitBranch',
  'timestamp',
  'agentId',
  'teamName',
  'slug',
  'forkedFrom',
  'sequence',
  'parentToolUseId',
  'message',
  'isCompactSummary',
  'compactMetadata',
  'eventFields',
])

const placeNames = new Set(['parent_tool_use_id'])
const passedApart = new Set(['parent_tool_use_id', 'message'])

/** Messages of the conversation always say whose they are and hold a `message`; other events may. */
function isPlain(type: string): boolean {
  return type === 'user' || type === 'assistant'
}

function placeOfAgent(type: string, agentCall: unknown): JsonObject {
  return agentCall === undefined || (isPlain(type) && agentCall === null)
    ? {}
    : { parentToolUseId: agentCall }
}

function toFields(fields: JsonObject, passed: ReadonlySet<string>): JsonObject {
  const flat: [string, unknown][] = []
  const nested: [string, unknown][] = []
  for (const [name, value] of Object.entries(fields)) {
    if (passed.has(name) || value === undefined) continue
    const renamed = Object.hasOwn(recordNames, name) ? recordNames[name] : undefined
    const metadata = name === 'compact_metadata' ? toCompactMetadata(value) : undefined
    if (renamed !== undefined) flat.push([renamed, value])
    else if (metadata !== undefined) flat.push(['compactMetadata', metadata])
    else if (ownFields.has(name)) nested.push([name, value])
    else flat.push([name, value])
  }
  return {
    ...Object.fromEntries(flat),
    ...(nested.length > 0 && { eventFields: Object.fromEntries(nested) }),
  }
}

function toMessages(event: SessionEvent): readonly (object | undefined)[] {
  if (event.type === 'assistant') return splitMessage(event.message)
  return event.type === 'user' ? [event.message] : [undefined]
}

function toResult(event: SessionEvent, place: RecordPlace, rest: JsonObject): TranscriptRecord {
  const { uuid, session_id: sessionId, sequence } = event
  return { type: 'result', uuid, sessionId, timestamp: place.timestamp, sequence, ...rest }
}

function toEvent(record: TranscriptRecord): JsonObject | undefined {
  const { type, uuid, sequence, sessionId: session_id, message, parentToolUseId } = record
  if (!isStamped(record)) return undefined
  const stamp = { ...fromFields(record), session_id, uuid, sequence }
  if (!isPlain(type)) return { type, ...withAgentCall(record), ...stamp }
  return isObject(message)
    ? { type, message, parent_tool_use_id: parentToolUseId ?? null, ...stamp }
    : undefined
}

function isStamped({ type, uuid, sequence, sessionId }: TranscriptRecord): boolean {
  const isNamed = typeof uuid === 'string' && typeof sessionId === 'string'
  return eventTypes.has(type) && isNamed && Number.isSafeInteger(sequence)
}

function withAgentCall(record: TranscriptRecord): JsonObject {
  return 'parentToolUseId' in record ? { parent_tool_use_id: record['parentToolUseId'] } : {}
}

function fromFields(record: TranscriptRecord): JsonObject {
  const fields: [string, unknown][] = []
  for (const [name, value] of Object.entries(record)) {
    const eventName = eventNames.get(name)
    const metadata = name === 'compactMetadata' ? fromCompactMetadata(value) : undefined
    if (eventName !== undefined) fields.push([eventName, value])
    else if (metadata !== undefined) fields.push(['compact_metadata', metadata])
    else if (name === 'eventFields' && isObject(value)) fields.push(...Object.entries(value))
    else if (!ownFields.has(name)) fields.push([name, value])
  }
  return Object.fromEntries(fields)
}

function toCompactMetadata(value: unknown): JsonObject | undefined {
  if (!isObject(value)) return undefined
  const { trigger, pre_tokens: preTokens, ...rest } = value
  const isKnown = typeof preTokens === 'number' && Object.keys(rest).length === 0 && trigger !== undefined
  return isKnown ? { trigger, preTokens } : undefined
}

function fromCompactMetadata(value: unknown): JsonObject | undefined {
  if (!isObject(value)) return undefined
  return { trigger: value['trigger'], pre_tokens: value['preTokens'] }
}

function joinParts(last: JsonObject | undefined, next: JsonObject): JsonObject | undefined {
  const isSameEvent = last?.['type'] === 'assistant' && next['type'] === 'assistant'
  if (!isSameEvent || last['sequence'] !== next['sequence']) return undefined
  const [first, second] = [last['message'], next['message']]
  if (!isObject(first) || !isObject(second)) return undefined
  if (!Array.isArray(first['content']) || !Array.isArray(second['content'])) return undefined
  return { ...next, message: { ...second, content: [...first['content'], ...second['content']] } }
}

/** A name for a part of an event that depends on the event alone; the last part has the event's own. */
function partUuid(uuid: string, partsBehind: number): string {
  if (partsBehind === 0) return uuid
  const hex = createHash('sha256').update(`${uuid} ${partsBehind}`).digest('hex')
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16)
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
  ]
  return [...groups, hex.slice(20, 32)].join('-')
}
