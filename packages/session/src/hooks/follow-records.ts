import { randomUUID } from 'node:crypto'
import type { AssistantRecord, SessionRecord } from '@x/contract'
import { changeRecords } from '../change-records.ts'
import type { SessionHooks } from './session-hooks.ts'

/**
 * Runs the hooks that look at what the model says: MessageDisplay for each text, StopFailure for a failure of the service that
 * ended the turn. What is shown may change, the conversation does not.
 */
export function followRecords<End>(
  records: AsyncGenerator<SessionRecord, End>,
  hooks: SessionHooks,
  signal: AbortSignal,
): AsyncGenerator<SessionRecord, End> {
  const turnId = randomUUID()
  let failure: AssistantRecord | undefined
  return changeRecords(records, async (record) => {
    const isSaid = record.type === 'assistant' && record.parent_tool_use_id === null
    if (isSaid && isFailure(record)) failure = record
    if (record.type === 'result' && failure !== undefined) await tellOfFailure(hooks, failure, signal)
    return isSaid ? withDisplay(hooks, record, { turnId, signal }) : record
  })
}

/** A failure of the service is shown as if the model said it. */
function isFailure({ error, message }: AssistantRecord): boolean {
  return error !== undefined && message.model === '<synthetic>'
}

interface Turn {
  readonly turnId: string
  readonly signal: AbortSignal
}

/** What a hook wants shown in place of a text stands beside the message, for whoever draws it. */
async function withDisplay(
  hooks: SessionHooks,
  record: AssistantRecord,
  { turnId, signal }: Turn,
): Promise<SessionRecord> {
  if (!hooks.hooks.has('MessageDisplay')) return record
  const delta = textOf(record)
  if (delta === '') return record
  const input = { turn_id: turnId, message_id: record.message.id ?? '', index: 0, final: true, delta }
  const shown = (await hooks.run('MessageDisplay', input, signal))?.fields.displayContent
  return shown === undefined ? record : { ...record, display_content: shown }
}

async function tellOfFailure(
  hooks: SessionHooks,
  failure: AssistantRecord,
  signal: AbortSignal,
): Promise<void> {
  const text = textOf(failure)
  const input = { error: failure.error ?? 'unknown', error_details: text, last_assistant_message: text }
  await hooks.run('StopFailure', input, signal)
}

function textOf({ message: { content } }: AssistantRecord): string {
  if (typeof content === 'string') return content
  return content.flatMap((block) => (block.type === 'text' && 'text' in block ? [block.text] : [])).join('\n')
}
