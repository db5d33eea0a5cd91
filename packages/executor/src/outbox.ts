import type {
  ExecutorEvent,
  ToolEndEvent,
  ToolProgressEvent,
  ToolResultEvent,
  ToolStartEvent,
} from './types.ts'

const MAX_WAITING_PROGRESS = 64

type SideEvent = ToolStartEvent | ToolProgressEvent | ToolEndEvent

/** An event at the side door. Progress may leave the line before its turn, so the line is linked both ways. */
interface Entry {
  event: SideEvent
  before: Entry | undefined
  behind: Entry | undefined
  /** The next progress event of the same call. */
  nextOfCall: Entry | undefined
  readonly place: Place | undefined
}

/** One call's place in the outbox. */
interface Place {
  result: ToolResultEvent | undefined
  waitingProgress: number
  oldestProgress: Entry | undefined
  newestProgress: Entry | undefined
  dropped: number
}

/** Where events wait for the one consumer: results in the order of the calls, everything else as it comes. */
export class Outbox {
  readonly #onTaken: (order: number) => void
  readonly #places: (Place | undefined)[] = []
  #next = 0
  #first: Entry | undefined
  #last: Entry | undefined
  #wake: (() => void) | undefined
  #isClosed = false
  #isDiscarded = false

  constructor(onTaken: (order: number) => void) {
    this.#onTaken = onTaken
  }

  /** Makes room for the result of one more call. */
  open(): void {
    this.#places.push({
      result: undefined,
      waitingProgress: 0,
      oldestProgress: undefined,
      newestProgress: undefined,
      dropped: 0,
    })
  }

  /** Start and end of a call: nothing holds them back. */
  pass(event: SideEvent): void {
    this.#append({ event, before: this.#last, behind: undefined, nextOfCall: undefined, place: undefined })
  }

  /** Progress passes too, but only so much of it waits: then the oldest of the same call is dropped. */
  progress(order: number, toolUseId: string, data: unknown): void {
    const place = this.#places[order]
    if (place === undefined) return
    if (place.waitingProgress === MAX_WAITING_PROGRESS) this.#dropOldest(place)
    const event: SideEvent = { type: 'tool-progress', toolUseId, data, dropped: 0 }
    const entry: Entry = { event, before: this.#last, behind: undefined, nextOfCall: undefined, place }
    if (place.newestProgress === undefined) place.oldestProgress = entry
    else place.newestProgress.nextOfCall = entry
    place.newestProgress = entry
    place.waitingProgress++
    this.#append(entry)
  }

  /** The result of a call; it leaves after those of the calls before it. */
  settle(order: number, result: ToolResultEvent): void {
    const place = this.#places[order]
    if (place === undefined) return
    place.result = result
    if (order === this.#next) this.#rouse()
  }

  /** The next event that may leave now. */
  take(): ExecutorEvent | undefined {
    if (this.#isDiscarded) return undefined
    return this.#takeSide() ?? this.#takeResult()
  }

  /** No further call comes. */
  close(): void {
    this.#isClosed = true
    this.#rouse()
  }

  /** Nothing leaves any more; returns the results that had not left. All calls must have been answered. */
  discard(): readonly ToolResultEvent[] {
    const rest = this.#places.slice(this.#next).flatMap((place) => place?.result ?? [])
    this.#isDiscarded = true
    this.#places.length = 0
    this.#first = undefined
    this.#last = undefined
    this.#rouse()
    return rest
  }

  /** Every result has left, or nothing leaves any more. */
  get isDone(): boolean {
    return this.#isDiscarded || (this.#isClosed && this.#next === this.#places.length)
  }

  /** Resolves when there may be something to take. */
  wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    return promise
  }

  #append(entry: Entry): void {
    if (this.#isDiscarded) return
    if (this.#last === undefined) this.#first = entry
    else this.#last.behind = entry
    this.#last = entry
    this.#rouse()
  }

  #takeSide(): SideEvent | undefined {
    const entry = this.#first
    if (entry === undefined) return undefined
    this.#unlink(entry)
    const { event, place } = entry
    if (place === undefined || event.type !== 'tool-progress') return event
    this.#leaveCall(place)
    return place.dropped === 0 ? event : { ...event, dropped: place.dropped }
  }

  #takeResult(): ToolResultEvent | undefined {
    const result = this.#places[this.#next]?.result
    if (result === undefined) return undefined
    this.#places[this.#next] = undefined
    this.#onTaken(this.#next++)
    return result
  }

  #dropOldest(place: Place): void {
    if (place.oldestProgress === undefined) return
    this.#unlink(place.oldestProgress)
    this.#leaveCall(place)
    place.dropped++
  }

  #leaveCall(place: Place): void {
    place.oldestProgress = place.oldestProgress?.nextOfCall
    if (place.oldestProgress === undefined) place.newestProgress = undefined
    place.waitingProgress--
  }

  #unlink(entry: Entry): void {
    if (entry.before === undefined) this.#first = entry.behind
    else entry.before.behind = entry.behind
    if (entry.behind === undefined) this.#last = entry.before
    else entry.behind.before = entry.before
  }

  #rouse(): void {
    this.#wake?.()
    this.#wake = undefined
  }
}
