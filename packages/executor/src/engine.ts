import { AbortReason } from '@x/abort'
import { type AssistantMessage, declareCall, type ToolUseBlock } from '@x/contract'
import type { Call } from './call.ts'
import { CallLifecycle } from './call-lifecycle.ts'
import { cancelEvent, unknownToolEvent } from './cancel-event.ts'
import { type CancelCause, causeOfAbort } from './causes.ts'
import { systemClock } from './clock.ts'
import { ContextLine } from './context-line.ts'
import { Controllers } from './controllers.ts'
import { createFindTool, type FindTool } from './find-tool.ts'
import { maxConcurrencyOf } from './numbers.ts'
import { runPipeline } from './pipeline.ts'
import type { Rules } from './rules.ts'
import { type ContextModifier, createRun, type Kit, type Run } from './run.ts'
import { Scheduler } from './scheduler.ts'
import { SiblingGroup } from './sibling-group.ts'
import { takeIn } from './take-in.ts'
import type { BaseContext, Clock, ExecutorEvent, ExecutorOptions, ToolResultEvent } from './types.ts'

/** How the engine behaves inside; not part of the public options. */
export interface EngineOptions {
  readonly rules: Rules
  /** The batch engine: nobody begins before all calls are there, and modifiers of calls side by side count, too. */
  readonly isBatch: boolean
}

/** The calls of one message and all that happens to them. The public executors are views of it. */
export class Engine implements Kit {
  readonly options: ExecutorOptions
  readonly rules: Rules
  readonly clock: Clock
  readonly #siblings: SiblingGroup
  readonly #scheduler: Scheduler
  readonly #lifecycle: CallLifecycle
  readonly #controllers: Controllers
  readonly #line: ContextLine
  readonly #findTool: FindTool
  readonly #waitsForAll: boolean
  readonly #settled = Promise.withResolvers<void>()
  #isClosed = false
  #isDiscarded = false
  #hasEffects = false
  #refusal: string | undefined

  constructor(options: ExecutorOptions, { rules, isBatch }: EngineOptions) {
    this.options = options
    this.rules = rules
    this.clock = options.clock ?? systemClock
    this.#waitsForAll = isBatch
    this.#scheduler = new Scheduler({
      rules,
      maxConcurrency: maxConcurrencyOf(options),
      begin: (call) => this.#begin(call),
    })
    this.#lifecycle = new CallLifecycle({
      options,
      clock: this.clock,
      scheduler: this.#scheduler,
      onRoom: () => this.start(),
      onIdle: () => this.#settleIfDone(),
    })
    this.#controllers = new Controllers({
      query: options.query,
      onQueryAbort: () => this.#queryAborted(),
      mayAbortQuery: () => !this.#isDiscarded,
    })
    this.#siblings = new SiblingGroup(options.siblingPolicy, rules)
    this.#line = new ContextLine(options.context, { collects: isBatch })
    this.#findTool = createFindTool(options.context.options.tools, options.unlistedTools)
    if (options.after !== undefined) this.#holdBack(options.after)
  }

  get context(): BaseContext {
    return this.#line.current
  }

  get hasEffects(): boolean {
    return this.#hasEffects
  }

  get hasOneCall(): Promise<boolean> {
    return this.#lifecycle.calls.hasOne
  }

  get settled(): Promise<void> {
    return this.#settled.promise
  }

  /** Takes a call in and answers it at once if it cannot run; `start` lets the others begin. */
  add(block: ToolUseBlock, parentMessage: AssistantMessage, inputError?: string): void {
    const { isSchemaMissing } = this.options
    const tool = this.#findTool(block.name)
    const { length } = this.#lifecycle.calls
    const call = takeIn(length, { block, parentMessage, tool, inputError, isSchemaMissing })
    this.#lifecycle.arrive(call)
    if (!this.#isClosed) this.#controllers.listen()
    if (tool === undefined) return this.#lifecycle.answer(call, unknownToolEvent(call))
    const cause = this.#causeOnArrival(call)
    if (cause !== undefined) return this.#cancel(call, cause)
    this.#lifecycle.queue(call)
  }

  /** Lets everybody begin who may. */
  start(): void {
    // Whoever heard of the query's abort before this executor may have come here first.
    if (this.options.query.signal.aborted) this.#queryAborted()
    if (this.#isClosed || !this.#waitsForAll) this.#scheduler.look()
  }

  /** No further call comes. */
  close(): void {
    this.#isClosed = true
    this.#lifecycle.close()
    this.#settleIfDone()
    this.start()
  }

  /** What is ready now. */
  ready(): Generator<ExecutorEvent, void, undefined> {
    return this.#lifecycle.ready()
  }

  /** All that is still to come. */
  remaining(): AsyncGenerator<ExecutorEvent, void, undefined> {
    return this.#lifecycle.remaining((hasFound) => this.rules.maySleep(hasFound))
  }

  cancelQueued(text: string): void {
    this.#refusal = text
    this.#cancelAll('not-started', (call) => call.state === 'queued')
    this.start()
  }

  interrupt(): void {
    const reason = new AbortReason('user-interrupt')
    const cancelled = this.#cancelAll(
      'user-interrupted',
      (call) => call.declared.interruptBehavior === 'cancel',
    )
    for (const call of cancelled) call.run?.control.controller.abort(reason)
    this.start()
  }

  discard(): readonly ToolResultEvent[] {
    if (this.#isDiscarded) return []
    this.#isDiscarded = true
    this.#isClosed = true
    const cancelled = this.#cancelAll('streaming-fallback', () => true)
    const rest = this.#lifecycle.discard()
    const reason = new AbortReason('streaming-fallback')
    for (const call of cancelled) call.run?.control.controller.abort(reason)
    this.#lifecycle.forget()
    this.#settleIfDone()
    return rest
  }

  redeclare(run: Run): void {
    const { call } = run
    const wasCancellable = this.#siblings.isCancellable(call)
    const { interruptBehavior } = call.declared
    call.declared = { ...declareCall(run.tool, run.input), interruptBehavior }
    const isCancellable = this.#siblings.isCancellable(call)
    if (isCancellable !== wasCancellable) this.#hang(run, isCancellable)
    if (isCancellable && this.#siblings.failure !== undefined) {
      this.#cancel(call, 'sibling-failed')
      this.start()
    }
  }

  judge(run: Run): Promise<void> | undefined {
    return this.#scheduler.judge(run.call)
  }

  entered(run: Run): void {
    run.hasEntered = true
    if (run.call.isExclusive) this.#line.endRun()
    if (!run.call.declared.isReadOnly) this.#hasEffects = true
  }

  modify(run: Run, modifier: ContextModifier): void {
    this.#line.modify(run, modifier)
  }

  progress(call: Call, data: unknown): void {
    this.#lifecycle.progress(call, data)
  }

  failed(run: Run): void {
    const { call, tool } = run
    if (!this.#siblings.close(run)) return
    // Its own hooks are still to run, so the abort of the siblings must not reach it.
    this.#hang(run, false)
    this.#cancelAll('sibling-failed', (other) => other !== call && this.#siblings.isCancellable(other))
    this.#controllers.abortSiblings({ toolUseId: call.id, toolName: tool.name })
    this.start()
  }

  complete(call: Call, event: ToolResultEvent): void {
    if (call.isAnswered) return
    call.hasEnded = true
    this.#lifecycle.answer(call, event)
    this.start()
  }

  ended(run: Run): void {
    const { call } = run
    if (call.hasEnded) return
    this.#lifecycle.end(call, run.lateEnd)
  }

  reject({ call, tool }: Run, event: ToolResultEvent): void {
    if (call.isAnswered) return
    call.hasEnded = true
    this.#lifecycle.answer(call, event)
    const facts = { toolUseId: call.id, toolName: tool.name }
    // Before anybody else can begin.
    this.#controllers.abortQuery(new AbortReason('permission-rejected', { facts }))
    this.start()
  }

  #begin(call: Call): void {
    const { tool } = call
    // Only calls with a tool are queued.
    if (tool === undefined) return
    if (call.isExclusive) this.#line.endRun()
    const control = this.#controllers.open(call, this.#siblings.isCancellable(call))
    const context = { ...this.context, abortController: control.controller, toolUseId: call.id }
    const run = createRun({ call, tool, kit: this, control, context })
    call.run = run
    this.#lifecycle.begin(call)
    void runPipeline(run)
  }

  /** The first cause that keeps an arriving call from running. */
  #causeOnArrival(call: Call): CancelCause | undefined {
    if (this.#isDiscarded) return 'streaming-fallback'
    if (this.#siblings.hasTaken(call)) return 'sibling-failed'
    const { signal } = this.options.query
    if (signal.aborted) return causeOfAbort(signal.reason)
    return this.#refusal !== undefined || this.#isClosed ? 'not-started' : undefined
  }

  #cancelAll(cause: CancelCause, isMeant: (call: Call) => boolean): readonly Call[] {
    const cancelled = this.#lifecycle.calls.unanswered().filter(isMeant)
    for (const call of cancelled) this.#cancel(call, cause)
    return cancelled
  }

  #queryAborted(): void {
    this.#cancelAll(causeOfAbort(this.options.query.signal.reason), () => true)
    this.#settleIfDone()
  }

  /** Answers a call from outside; it ends when its pipeline does. */
  #cancel(call: Call, cause: CancelCause): void {
    if (call.isAnswered) return
    const { rejectionHint } = this.options
    const words = { refusal: this.#refusal, siblingFailure: this.#siblings.failure, rejectionHint }
    this.#lifecycle.answer(call, cancelEvent(call, cause, words))
  }

  /** Hangs a call below another level, with a fresh controller. */
  #hang(run: Run, isCancellable: boolean): void {
    run.control.close()
    run.control = this.#controllers.open(run.call, isCancellable)
    run.context = { ...run.context, abortController: run.control.controller }
  }

  #holdBack(after: Promise<void>): void {
    const { load } = this.#scheduler
    load.isHeldBack = true
    const go = (): void => {
      load.isHeldBack = false
      this.start()
    }
    after.then(go, go)
  }

  #settleIfDone(): void {
    // After an abort calls may still come, but none runs.
    const isOver = this.#isClosed || this.options.query.signal.aborted
    if (!isOver || !this.#lifecycle.isIdle) return
    this.#line.endRun()
    this.#controllers.close()
    this.#settled.resolve()
  }
}
