import type { Call } from './call.ts'
import { CallList } from './call-list.ts'
import { Leftovers } from './leftovers.ts'
import { endGraceMsOf } from './numbers.ts'
import { Outbox } from './outbox.ts'
import { Reporter } from './reporter.ts'
import type { Scheduler } from './scheduler.ts'
import { soundEvent } from './sound-event.ts'
import type { Clock, ExecutorEvent, ExecutorOptions, ToolResultEvent } from './types.ts'

/** What the lifecycle of calls needs. */
export interface CallLifecycleOptions {
  readonly options: ExecutorOptions
  readonly clock: Clock
  readonly scheduler: Scheduler
  /** A call has made room: others may begin now. */
  readonly onRoom: () => void
  /** Nothing of any call that has come so far runs any more. */
  readonly onIdle: () => void
}

/**
 * Takes each call from arrived to queued, executing, completed and yielded, never back, and tells everybody whom that concerns. Who may
 * go on and why somebody is stopped is decided elsewhere.
 *
 * An answer and an end are two facts: a call that was answered from outside runs on for a while, and keeps its place so long.
 */
export class CallLifecycle {
  readonly calls = new CallList()
  readonly #settings: CallLifecycleOptions
  readonly #outbox: Outbox
  readonly #leftovers: Leftovers
  readonly #reporter: Reporter
  #unended = 0
  #hasConsumer = false

  constructor(settings: CallLifecycleOptions) {
    const { options, clock } = settings
    this.#settings = settings
    this.#outbox = new Outbox({ onTaken: (order) => this.#taken(order), onReady: options.onReady })
    this.#leftovers = new Leftovers({
      clock,
      graceMs: endGraceMsOf(options),
      onOver: (call) => this.end(call, 'still running, but its grace is over'),
    })
    this.#reporter = new Reporter(options.debug, options.context.ui)
  }

  /** Nothing of any call runs. */
  get isIdle(): boolean {
    return this.#unended === 0
  }

  arrive(call: Call): void {
    this.calls.add(call)
    this.#unended++
    this.#outbox.open()
  }

  queue(call: Call): void {
    this.#reporter.record(call, 'queued')
    this.#settings.scheduler.enqueue(call)
  }

  begin(call: Call): void {
    this.#outbox.started({ type: 'tool-start', toolUseId: call.id })
    this.#reporter.began(call)
  }

  progress(call: Call, data: unknown): void {
    this.#outbox.reported(call.order, { type: 'tool-progress', toolUseId: call.id, data, dropped: 0 })
  }

  /** Gives a call its one answer. */
  answer(call: Call, event: ToolResultEvent): void {
    this.calls.answered()
    const hasBegun = call.state === 'executing'
    call.isAnswered = true
    call.state = 'completed'
    if (hasBegun) {
      this.#settings.scheduler.answered(call)
      this.#outbox.ended(call.order, { type: 'tool-end', toolUseId: call.id, cause: event.cause })
      this.#reporter.answered(call)
    } else call.hasEnded = true
    this.#outbox.settle(call.order, soundEvent(event))
    this.#reporter.record(call, 'completed', event.cause)
    if (call.hasEnded) this.#release(call)
    else this.#leftovers.add(call)
  }

  /** Nothing of an answered call runs any more, or its grace is over. */
  end(call: Call, detail: string | undefined): void {
    call.hasEnded = true
    this.#settings.scheduler.ended(call)
    this.#leftovers.tidy()
    this.#reporter.record(call, 'ended', detail)
    this.#release(call)
    this.#settings.onRoom()
  }

  /** No further call comes. */
  close(): void {
    this.calls.close()
    this.#outbox.close()
  }

  /** Nothing leaves any more; returns the results that had not left. */
  discard(): readonly ToolResultEvent[] {
    return this.#outbox.discard()
  }

  /** After `discard` and the last answers: nobody waits for the results of these calls. */
  forget(): void {
    for (const call of this.calls.kept()) this.#reporter.left(call)
  }

  /** What is ready now. */
  *ready(): Generator<ExecutorEvent, void, undefined> {
    for (let event = this.#outbox.take(); event !== undefined; event = this.#outbox.take()) yield event
  }

  /** All that is still to come; `maySleep` is asked after each look. */
  async *remaining(maySleep: (hasFound: boolean) => boolean): AsyncGenerator<ExecutorEvent, void, undefined> {
    if (this.#hasConsumer) throw new TypeError('the results of an executor have one consumer')
    this.#hasConsumer = true
    try {
      for (;;) {
        const event = this.#outbox.take()
        if (event !== undefined) yield event
        else if (this.#outbox.isDone) return
        // What came while the consumer was busy would wake nobody: look again before sleeping.
        if (maySleep(event !== undefined)) await this.#outbox.wait()
      }
    } finally {
      this.#hasConsumer = false
    }
  }

  /** Lets go of what an ended call holds. */
  #release(call: Call): void {
    call.run?.control.close()
    if (call.state === 'yielded') call.run = undefined
    this.#unended--
    if (this.isIdle) this.#settings.onIdle()
  }

  #taken(order: number): void {
    const call = this.calls.at(order)
    if (call === undefined) return
    call.state = 'yielded'
    this.#reporter.record(call, 'yielded')
    if (call.run !== undefined) this.#reporter.left(call)
    if (call.hasEnded) call.run = undefined
  }
}
