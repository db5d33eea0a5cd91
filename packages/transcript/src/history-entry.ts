import type { JsonObject, Message } from '@x/contract'
import { isObject, type TranscriptRecord } from './record.ts'

/** One thing on the chain that the history is made of. */
export type HistoryEntry =
  | {
      readonly kind: 'message'
      readonly message: Message
      /** Records of one model message share it. */
      readonly group?: string
      /** The event that ends the model message; records of no other event belong to it. */
      readonly endedBy?: number
      /** The event that the record is part of. */
      readonly sequence?: number
    }
  /** A model message is taken back: what was shown of it is not in the history. */
  | { readonly kind: 'withdrawal'; readonly messageId: string | null }

/** The model name of messages that the program shows in the model's place; they are not in the history. */
const syntheticModel = '<synthetic>'

/** What a record brings into the history: nothing, or its part. `undefined` for a message record without a message. */
export function toEntry(record: TranscriptRecord): HistoryEntry | 'none' | undefined {
  const { type, subtype, message } = record
  if (type === 'system') return subtype === 'message_withdrawn' ? toWithdrawal(record) : 'none'
  if (type !== 'user' && type !== 'assistant') return 'none'
  if (!isObject(message)) return undefined
  const { content } = message
  if (typeof content !== 'string' && !Array.isArray(content)) return undefined
  if (type === 'user') return { kind: 'message', message: { role: 'user', content } }
  return message['model'] === syntheticModel ? 'none' : toModelEntry(message, content, record)
}

function toModelEntry(
  message: JsonObject,
  content: string | Extract<Message, { role: 'assistant' }>['content'],
  { sequence }: TranscriptRecord,
): HistoryEntry {
  const { id, stop_reason: stopReason } = message
  const isEnd = typeof stopReason === 'string' && sequence !== undefined
  const hasId = typeof id === 'string' && id !== ''
  const group = hasId ? id : sequence === undefined ? undefined : `event ${String(sequence)}`
  return {
    kind: 'message',
    message: { role: 'assistant', content, ...(hasId && { id }) },
    ...(group !== undefined && { group }),
    ...(sequence !== undefined && { sequence }),
    ...(isEnd && { endedBy: sequence }),
  }
}

function toWithdrawal({ message_id: id }: TranscriptRecord): HistoryEntry {
  return { kind: 'withdrawal', messageId: typeof id === 'string' ? id : null }
}
