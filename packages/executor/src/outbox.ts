import { SideDoor } from './side-door.ts'
import type {
  ExecutorEvent,
  ToolEndEvent,
  ToolProgressEvent,
  ToolResultEvent,
  ToolStartEvent,
} from './types.ts'

/** Who is told of what happens at the outbox. */
export interface OutboxOptions {
  /** The result of this call has left. */
  readonly onTaken: (order: number) => void
  /** There may be something to take. One that throws is ignored. */
  readonly onReady?: (() => void) | undefined
}

/** Where events wait for the one consumer: results in the order of the calls, everything else as it comes. */
export class Outbox {
  readonly #options: OutboxOptions
  readonly #results: (ToolResultEvent | undefined)[] = []
  readonly #sideDoor = new SideDoor()
  #next = 0
  #wake: (() => void) | undefined
  #isClosed = false
  #isDiscarded = false

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  /** Makes room for the result of one more call. */
  open(): void {
    this.#results.push(undefined)
  }

  /** A call began. */
  started(event: ToolStartEvent): void {
    this.#sideDoor.pass(event)
    this.#rouse()
  }

  /** A call reports. */
  reported(order: number, event: ToolProgressEvent): void {
    this.#sideDoor.report(order, event)
    this.#rouse()
  }

  /** A call that had begun was answered. */
  ended(order: number, event: ToolEndEvent): void {
    this.#sideDoor.end(order)
    this.#sideDoor.pass(event)
    this.#rouse()
  }

  /** The result of a call; it leaves after those of the calls before it. */
  settle(order: number, result: ToolResultEvent): void {
    this.#results[order] = result
    if (order === this.#next) this.#rouse()
  }

  /** The next event that may leave now. */
  take(): ExecutorEvent | undefined {
    if (this.#isDiscarded) return undefined
    return this.#sideDoor.take() ?? this.#takeResult()
  }

  /** No further call comes. */
  close(): void {
    this.#isClosed = true
    this.#rouse()
  }

  /** Nothing leaves any more; returns the results that had not left. */
  discard(): readonly ToolResultEvent[] {
    this.#isDiscarded = true
    this.#rouse()
    return this.#results.splice(this.#next).filter((result) => result !== undefined)
  }

  /** Every result has left, or nothing leaves any more. */
  get isDone(): boolean {
    return this.#isDiscarded || (this.#isClosed && this.#next === this.#results.length)
  }

  /** Resolves when there may be something to take. */
  wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    return promise
  }

  #takeResult(): ToolResultEvent | undefined {
    const result = this.#results[this.#next]
    if (result === undefined) return undefined
    this.#results[this.#next] = undefined
    this.#options.onTaken(this.#next++)
    return result
  }

  #rouse(): void {
    this.#wake?.()
    this.#wake = undefined
    try {
      this.#options.onReady?.()
    } catch {
      // Whoever wants to be told must not stop the calls.
    }
  }
}
