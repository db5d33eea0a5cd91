import {
  type AssistantMessage,
  type ContentBlock,
  checkHistory,
  type HistoryLog,
  type Message,
  repairHistory,
  type UserMessage,
} from '@x/contract'

/** The conversation of one query: grows at the end, valid and logged before anything of it is sent. */
export class History {
  /** Faults of what came in that had to be mended. */
  readonly mended: number
  readonly #log: HistoryLog
  readonly #ids: Set<string>
  #messages: Message[]
  #logged: number
  #start: number

  /** Stands on what was logged before; a hole in that is mended as each load of the log mends it. */
  constructor(log: HistoryLog, past: readonly Message[]) {
    const { messages, repaired } = repairHistory(past)
    this.#log = log
    this.#messages = [...messages]
    this.#ids = collectIds(messages)
    this.mended = repaired.length
    // What a repair put behind a past that breaks off is new; inside the past, every load of the log repeats it.
    this.#logged = past.every((message, index) => message === messages[index]) ? past.length : messages.length
    this.#start = this.#logged
  }

  /** All messages so far. Valid after a commit. */
  get messages(): readonly Message[] {
    return this.#messages
  }

  /** What this query added. */
  get added(): readonly Message[] {
    return this.#messages.slice(this.#start)
  }

  /** Adds what the model said. */
  addAssistant(message: AssistantMessage): void {
    this.#messages.push(message)
  }

  /** Adds what the model said that the log has already; nothing may be new by then. */
  addLogged(message: AssistantMessage): void {
    this.#messages.push(message)
    this.#logged = this.#messages.length
  }

  /** Adds to what the user said last, as long as that is not logged. */
  addUser(content: UserMessage['content']): void {
    const blocks = toBlocks(content)
    if (blocks.length === 0) return
    const last = this.#messages.at(-1)
    const isOpen = this.#messages.length > this.#logged && last?.role === 'user'
    if (isOpen) this.#messages.pop()
    this.#messages.push({ role: 'user', content: isOpen ? [...toBlocks(last.content), ...blocks] : blocks })
  }

  /** Gives a call id that no call of the conversation has, of letters that services take: the wanted one if it may be had. */
  claimId(wanted: string): string {
    const stem = wanted.replaceAll(/[^A-Za-z0-9_-]/gu, '_')
    let id = stem
    for (let number = 1; id === '' || this.#ids.has(id); number += 1) id = `${stem || 'call'}_${number}`
    this.#ids.add(id)
    return id
  }

  /** Frees the ids of a message that was withdrawn. */
  releaseIds(ids: Iterable<string>): void {
    for (const id of ids) this.#ids.delete(id)
  }

  /** Logs what is new and gives the messages of the next request. */
  async commit(): Promise<readonly Message[]> {
    const fresh = this.#settle()
    this.#logged = this.#messages.length
    if (fresh.length > 0) await this.#log.append(fresh)
    return this.#messages.slice()
  }

  /** Puts a shorter history, logged by its maker, in the place of all. */
  replace(messages: readonly Message[]): void {
    this.#messages = [...messages]
    this.#logged = messages.length
    this.#start = 0
  }

  /** Neighbours of one role become one message of the request, and stay two in the log: what was logged is not changed. */
  #settle(): readonly Message[] {
    const raw = this.#messages.slice(this.#logged)
    if (isSoundAfter(this.#messages[this.#logged - 1], raw)) return raw
    const last = this.#messages[this.#logged - 1]
    this.#messages = [...repairHistory(this.#messages).messages]
    const isJoined = last !== undefined && last !== this.#messages[this.#logged - 1]
    return isJoined ? raw : this.#messages.slice(this.#logged)
  }
}

/**
 * Tells whether messages may follow a history that is sound. Looks at its last message alone, so that a turn costs the same late
 * as early: ids are unique by `claimId`, and calls are answered in the next message.
 */
function isSoundAfter(last: Message | undefined, next: readonly Message[]): boolean {
  const begin = last?.role === 'user' ? [anyUserMessage] : last === undefined ? [] : [anyUserMessage, last]
  return checkHistory([...begin, ...next]).length === 0
}

const anyUserMessage: Message = { role: 'user', content: '...' }

/** Makes blocks of a message's content, without empty text: services refuse it. */
function toBlocks(content: string | readonly ContentBlock[]): ContentBlock[] {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return blocks.filter((block) => block.type !== 'text' || /\S/u.test(block.text))
}

function collectIds(messages: readonly Message[]): Set<string> {
  const ids = new Set<string>()
  for (const { content } of messages) {
    if (typeof content === 'string') continue
    for (const block of content) if (block.type === 'tool_use') ids.add(block.id)
  }
  return ids
}
