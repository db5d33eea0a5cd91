import type { ToolEndEvent, ToolProgressEvent, ToolStartEvent } from './types.ts'

const MAX_WAITING_PROGRESS = 64

/** What leaves at once, whatever the order of the results. */
export type SideEvent = ToolStartEvent | ToolProgressEvent | ToolEndEvent

/** An event in line. Progress may leave the line before its turn, so the line is linked both ways. */
interface Entry {
  readonly event: SideEvent
  before: Entry | undefined
  behind: Entry | undefined
  /** For progress: that of the same call. */
  readonly progress: Progress | undefined
  nextOfCall: Entry | undefined
}

/** The progress of one call. */
interface Progress {
  waiting: number
  oldest: Entry | undefined
  newest: Entry | undefined
  dropped: number
}

/** The line of events that pass at once. A call that reports faster than anybody listens loses its oldest reports. */
export class SideDoor {
  readonly #progress = new Map<number, Progress>()
  #first: Entry | undefined
  #last: Entry | undefined

  /** Start and end of a call. */
  pass(event: ToolStartEvent | ToolEndEvent): void {
    this.#append({ event, before: this.#last, behind: undefined, progress: undefined, nextOfCall: undefined })
  }

  /** Progress of the call that came as number `order`. */
  report(order: number, event: ToolProgressEvent): void {
    const progress = this.#progressOf(order)
    if (progress.waiting === MAX_WAITING_PROGRESS) this.#dropOldest(progress)
    const entry: Entry = { event, before: this.#last, behind: undefined, progress, nextOfCall: undefined }
    if (progress.newest === undefined) progress.oldest = entry
    else progress.newest.nextOfCall = entry
    progress.newest = entry
    progress.waiting++
    this.#append(entry)
  }

  /** No more progress comes from this call; what waits still leaves. */
  end(order: number): void {
    this.#progress.delete(order)
  }

  /** The first in line. */
  take(): SideEvent | undefined {
    const entry = this.#first
    if (entry === undefined) return undefined
    this.#unlink(entry)
    const { event, progress } = entry
    if (progress === undefined || event.type !== 'tool-progress') return event
    leave(progress)
    return progress.dropped === 0 ? event : { ...event, dropped: progress.dropped }
  }

  #progressOf(order: number): Progress {
    let progress = this.#progress.get(order)
    if (progress === undefined) {
      progress = { waiting: 0, oldest: undefined, newest: undefined, dropped: 0 }
      this.#progress.set(order, progress)
    }
    return progress
  }

  #dropOldest(progress: Progress): void {
    if (progress.oldest === undefined) return
    this.#unlink(progress.oldest)
    leave(progress)
    progress.dropped++
  }

  #append(entry: Entry): void {
    if (this.#last === undefined) this.#first = entry
    else this.#last.behind = entry
    this.#last = entry
  }

  #unlink(entry: Entry): void {
    if (entry.before === undefined) this.#first = entry.behind
    else entry.before.behind = entry.behind
    if (entry.behind === undefined) this.#last = entry.before
    else entry.behind.before = entry.before
  }
}

/** The oldest report of the call is out of the line. */
function leave(progress: Progress): void {
  progress.oldest = progress.oldest?.nextOfCall
  if (progress.oldest === undefined) progress.newest = undefined
  progress.waiting--
}
