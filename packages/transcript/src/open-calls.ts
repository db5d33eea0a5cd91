import type { AssistantMessage, Message } from '@x/contract'
import { answeredIds, callIds, groupMessages } from './group-messages.ts'
import type { HistoryEntry } from './history-entry.ts'
import type { LoadedTranscript } from './load.ts'
import { withUntold } from './started-calls.ts'

/** A message to write, and what its records say besides. */
export interface FlaggedMessage {
  readonly message: Message
  readonly flags: { readonly isMeta?: boolean }
}

/** The calls that were open when a transcript broke off. They are answered before anything else is said, and not before. */
export class OpenCalls {
  /** The open calls of which no record says that they began. */
  readonly waiting: readonly string[]
  readonly #missingResultText: string
  #ids: readonly string[]
  #untold: AssistantMessage | undefined

  constructor({ entries, untold, begun }: LoadedTranscript, missingResultText: string) {
    this.#missingResultText = missingResultText
    this.#untold = untold
    this.#ids = findOpenCalls(groupMessages(withUntold(entries, untold)))
    this.waiting = this.#ids.filter((id) => !begun.has(id))
  }

  /** The entries, and behind them the message of the open calls where no record tells of it. */
  follow(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
    return withUntold(entries, this.#untold)
  }

  /** What to write before messages that come: the untold message, and answers to the calls that those messages do not answer. Once. */
  takeMissing(coming: readonly Message[]): readonly FlaggedMessage[] {
    if (coming.length === 0) return []
    const answered = new Set(coming.flatMap(answeredIds))
    const open = this.#ids.filter((id) => !answered.has(id))
    const untold = this.#untold
    this.forget()
    return [
      ...(untold === undefined ? [] : [{ message: untold, flags: {} }]),
      ...(open.length === 0 ? [] : [{ message: this.#toAnswer(open), flags: { isMeta: true } }]),
    ]
  }

  /** Nothing is open any more. */
  forget(): void {
    this.#ids = []
    this.#untold = undefined
  }

  #toAnswer(ids: readonly string[]): Message {
    const content = ids.map((id) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: this.#missingResultText,
      is_error: true,
    }))
    return { role: 'user', content }
  }
}

function findOpenCalls(messages: readonly Message[]): readonly string[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const message = messages[last]
  if (message === undefined) return []
  const answered = new Set(messages.slice(last + 1).flatMap(answeredIds))
  return callIds(message).filter((id) => !answered.has(id))
}
