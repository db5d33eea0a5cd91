/** One server-sent event. */
export interface ServerSentEvent {
  /** Its name; empty where the stream gave none. */
  readonly name: string
  readonly data: string
}

/**
 * Cuts a byte stream into server-sent events, wherever the bytes are split: inside a character, a line ending or an event.
 *
 * An event that the end of the stream cuts off is dropped, as the format says.
 */
export class SseDecoder {
  readonly #decoder = new TextDecoder('utf-8')
  #pending = ''
  #endedWithReturn = false
  #name = ''
  #data: string[] = []

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
    if (field === 'data') this.#data.push(value)
    return null
  }

  #dispatch(): ServerSentEvent | null {
    const event = this.#data.length === 0 ? null : { name: this.#name, data: this.#data.join('\n') }
    this.#name = ''
    this.#data = []
    return event
  }
}
