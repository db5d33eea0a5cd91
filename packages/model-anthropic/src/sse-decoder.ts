import { lostError } from './lost-error.ts'

/** One server-sent event. */
export interface ServerSentEvent {
  /** Its name; empty where the stream gave none. */
  readonly name: string
  readonly data: string
}

// No event of the service comes near. A stream that never ends its line must not eat the memory of the host.
const MAX_EVENT_CHARS = 64 * 1024 * 1024
// A line in a list takes memory even when there is nothing in it.
const LINE_CHARS = 32

/**
 * Cuts a byte stream into server-sent events, wherever the bytes are split: inside a character, a line ending or an event.
 *
 * An event that the end of the stream cuts off is dropped, as the format says.
 *
 * @throws ModelError for an event of more than 64 million characters.
 */
export class SseDecoder {
  readonly #decoder = new TextDecoder('utf-8')
  #pending = ''
  #endedWithReturn = false
  #name = ''
  #data: string[] = []
  #dataChars = 0

  /** Takes the next bytes and gives the events they complete. */
  push(bytes: Uint8Array): ServerSentEvent[] {
    const events: ServerSentEvent[] = []
    let text = this.#decoder.decode(bytes, { stream: true })
    if (text === '') return events
    // The second half of a line ending that came in two pieces.
    if (this.#endedWithReturn && text.startsWith('\n')) text = text.slice(1)
    this.#endedWithReturn = text === '' ? false : text.endsWith('\r')
    if (!/[\r\n]/.test(text)) {
      this.#pending += text
      assertSize(this.#pending.length)
      return events
    }
    const lines = (this.#pending + text).split(/\r\n|\r|\n/)
    this.#pending = lines.pop() ?? ''
    for (const line of lines) {
      const event = this.#takeLine(line)
      if (event !== null) events.push(event)
    }
    return events
  }

  #takeLine(line: string): ServerSentEvent | null {
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'event') this.#name = value
    if (field === 'data') this.#addData(value)
    return null
  }

  #addData(value: string): void {
    this.#data.push(value)
    this.#dataChars += value.length + LINE_CHARS
    assertSize(this.#dataChars)
  }

  #dispatch(): ServerSentEvent | null {
    const event = this.#data.length === 0 ? null : { name: this.#name, data: this.#data.join('\n') }
    this.#name = ''
    this.#data = []
    this.#dataChars = 0
    return event
  }
}

function assertSize(chars: number): void {
  if (chars > MAX_EVENT_CHARS) throw lostError(`an event is longer than ${MAX_EVENT_CHARS} characters`)
}
