import type { Span } from './timeline.ts'

/** Keeps when calls and messages began and ended. */
export class SpanClock {
  readonly #now: () => number
  /** When the event at hand came; undefined: now. */
  time: number | undefined
  readonly #interrupted = new Set<string>()
  readonly #labels = new Map<string, string>()
  readonly #calls = new Map<string, { start: number; end?: number; isFailed: boolean }>()
  readonly #messages: { start: number; end?: number }[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  name(id: string, label: string): void {
    this.#labels.set(id, label)
  }

  labelOf(id: string): string {
    return this.#labels.get(id) ?? id
  }

  start(id: string): void {
    this.#calls.set(id, { start: this.#at(), isFailed: false })
  }

  end(id: string, cause: string): void {
    const call = this.#calls.get(id)
    if (call !== undefined)
      this.#calls.set(id, { start: call.start, end: this.#at(), isFailed: cause !== 'ran' })
    if (cause.startsWith('user-')) this.#interrupted.add(id)
  }

  modelStarts(): void {
    this.#messages.push({ start: this.#at() })
  }

  modelEnds(): void {
    const message = this.#messages.at(-1)
    if (message !== undefined) message.end = this.#at()
  }

  spanOf(id: string): Span | undefined {
    return this.spans().find((span) => span.id === id)
  }

  spans(): readonly Span[] {
    const now = this.#at()
    const calls = [...this.#calls].map(([id, { start, end = now, isFailed }]): Span => {
      return { id, label: this.labelOf(id), kind: 'call', start, end, isFailed }
    })
    const messages = this.#messages.map(({ start, end = now }, index): Span => {
      return { id: `message-${index + 1}`, label: `model, message ${index + 1}`, kind: 'model', start, end }
    })
    return [...messages, ...calls].sort((one, other) => one.start - other.start)
  }

  isInterrupted(id: string): boolean {
    return this.#interrupted.has(id)
  }

  #at(): number {
    return this.time ?? this.#now()
  }
}
