import type { Span } from './timeline.ts'

/** Keeps when calls and messages began and ended. */
export class SpanClock {
  readonly #now: () => number
  /** When the event at hand came; undefined: now. */
  time: number | undefined
  readonly #causes = new Map<string, string>()
  readonly #labels = new Map<string, string>()
  readonly #calls = new Map<string, { start: number; end?: number; isFailed: boolean }>()
  readonly #answers = new Map<string, number>()
  readonly #agents = new Map<string, string>()
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

  hasName(id: string): boolean {
    return this.#labels.has(id)
  }

  /** `agent`: the call that started the agent whose call this is. */
  start(id: string, agent: string | null): void {
    this.#calls.set(id, { start: this.#at(), isFailed: false })
    if (agent !== null) this.#agents.set(id, agent)
  }

  /** What started the agent whose call this is; undefined for calls of the main conversation, and those not begun yet. */
  ownerOf(id: string): string | undefined {
    const agent = this.#agents.get(id)
    return agent === undefined ? undefined : this.labelOf(agent)
  }

  /** A person has answered whether the call may run; until then it was the person who took the time. */
  answered(id: string): void {
    this.#answers.set(id, this.#now())
  }

  end(id: string, cause: string): void {
    const call = this.#calls.get(id)
    if (call !== undefined)
      this.#calls.set(id, { start: call.start, end: this.#at(), isFailed: cause !== 'ran' })
    this.#causes.set(id, cause)
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
    const calls = [...this.#calls].map(([id, { start: begun, end = now, isFailed }]): Span => {
      const start = Math.min(Math.max(begun, this.#answers.get(id) ?? begun), end)
      const agent = this.#agents.get(id)
      return {
        id,
        label: this.labelOf(id),
        kind: 'call',
        start,
        end,
        isFailed,
        ...(agent !== undefined && { agent }),
      }
    })
    const messages = this.#messages.map(({ start, end = now }, index): Span => {
      return { id: `message-${index + 1}`, label: `model, message ${index + 1}`, kind: 'model', start, end }
    })
    return [...messages, ...calls].sort((one, other) => one.start - other.start)
  }

  isInterrupted(id: string): boolean {
    return this.#causes.get(id)?.startsWith('user-') === true
  }

  /** The executor has begun with it, and it came no further than the question whether it may run. */
  isDenied(id: string): boolean {
    return this.#causes.get(id) === 'denied'
  }

  #at(): number {
    return this.time ?? this.#now()
  }
}
