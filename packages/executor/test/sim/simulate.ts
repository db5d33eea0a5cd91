import { getEventListeners } from 'node:events'
import { AbortReason, createAbortController } from '@x/abort'
import {
  type Authorize,
  defineTool,
  type Tool,
  type ToolHooks,
  type ToolUseBlock,
  type ToolUseContext,
} from '@x/contract'
import type * as fc from 'fast-check'
import { z } from 'zod'
import { Engine } from '../../src/engine.ts'
import type { DebugRecord, ExecutorEvent, StreamingToolExecutor } from '../../src/index.ts'
import { type Rules, rules as trueRules } from '../../src/rules.ts'
import { viewEngine } from '../../src/streaming-tool-executor.ts'
import { makeContext } from '../harness.ts'
import type { Trace, TraceEvent, TraceFact } from './trace.ts'
import { flush, VirtualClock } from './virtual-clock.ts'
import type { Blow, CallPlan, Flags, World } from './world.ts'

const LAST_MS = 5_000

export interface SimulateOptions {
  readonly rules?: Rules
  /** Chooses who goes first among what is due at the same moment. */
  readonly scheduler?: fc.Scheduler
  /** What is due at the same moment happens without a pause for promises in between. */
  readonly isDense?: boolean
  /** The batch engine: all calls are there at the start. */
  readonly isBatch?: boolean
}

/** Plays a world and writes down what happens. */
export async function simulate(world: World, options: SimulateOptions = {}): Promise<Trace> {
  const simulation = new Simulation(world, options)
  return simulation.play()
}

class Simulation {
  readonly #world: World
  readonly #options: SimulateOptions
  readonly #clock = new VirtualClock()
  readonly #query = createAbortController()
  readonly #events: TraceEvent[] = []
  readonly #blocks: readonly ToolUseBlock[]
  readonly #executor: StreamingToolExecutor
  readonly #engine: Engine
  readonly #ended = new Set<number>()
  #tick = 0
  #engineTimers = 0
  #picks = 0
  #isDrained = false
  #arrived = 0

  constructor(world: World, options: SimulateOptions) {
    this.#world = world
    this.#options = options
    this.#blocks = world.calls.map((plan, index) => toBlock(plan, index))
    this.#query.signal.addEventListener('abort', () => this.#note({ type: 'query-aborted' }))
    const base = options.rules ?? trueRules
    const rules: Rules = { ...base, pick: (...args) => (this.#picks++, base.pick.apply(rules, args)) }
    this.#engine = new Engine(
      {
        context: makeContext([this.#tool('Known', 'block'), this.#tool('Cancellable', 'cancel')], {
          cwd: '',
        }),
        query: this.#query,
        authorize: this.#authorize(),
        hooks: this.#hooks(),
        storeResult: async (id) => {
          await this.#clock.sleep(this.#planOf(id).storeMs)
          return { path: `/store/${id}` }
        },
        maxConcurrency: world.maxConcurrency,
        siblingPolicy: world.siblingPolicy,
        endGraceMs: world.graceMs,
        clock: {
          now: () => this.#clock.now(),
          setTimeout: (fire, ms) => {
            this.#engineTimers++
            return this.#clock.setTimeout(() => {
              this.#engineTimers--
              fire()
            }, ms)
          },
          clearTimeout: (timer) => {
            this.#engineTimers--
            this.#clock.clearTimeout(timer)
          },
        },
        ...(world.afterMs !== undefined && { after: this.#after(world.afterMs) }),
        debug: (record) => this.#debug(record),
      },
      { rules, isBatch: options.isBatch === true },
    )
    this.#executor = viewEngine(this.#engine)
  }

  async play(): Promise<Trace> {
    const { signal } = this.#query
    const listenersBefore = getEventListeners(signal, 'abort').length
    this.#scheduleArrivals()
    for (const blow of this.#world.blows) this.#clock.setTimeout(() => this.#strike(blow), blow.atMs)
    // What never ends by itself is ended here, so that liveness can be asked for.
    this.#clock.setTimeout(() => {
      this.#note({ type: 'give-up' })
      this.#query.abort(new AbortReason('host-stopped'))
    }, LAST_MS)
    for (let due = this.#clock.advance(); due.length > 0; due = this.#clock.advance()) await this.#fire(due)
    return {
      world: this.#world,
      events: this.#events,
      listenersBefore,
      listenersAfter: getEventListeners(signal, 'abort').length,
      picks: this.#picks,
      cwd: this.#executor.context.cwd,
    }
  }

  async #fire(due: readonly (() => void)[]): Promise<void> {
    const { scheduler, isDense } = this.#options
    if (scheduler === undefined) {
      for (const fire of due) await this.#run(fire)
      return
    }
    for (const fire of due) void scheduler.schedule(Promise.resolve()).then(() => fire())
    for (let left = scheduler.count(); left > 0; left = scheduler.count()) {
      await scheduler.waitNext(isDense === true ? left : 1)
      await this.#run(() => undefined)
    }
  }

  async #run(fire: () => void): Promise<void> {
    fire()
    await flush()
    this.#note({ type: 'tick', timers: this.#engineTimers })
    this.#tick++
  }

  #scheduleArrivals(): void {
    let atMs = 0
    if (this.#options.isBatch === true) {
      this.#clock.setTimeout(() => {
        while (this.#arrived < this.#blocks.length) this.#arrive()
        void this.#consume()
      }, 0)
      return
    }
    for (const { gapMs } of this.#world.calls) {
      atMs += gapMs
      this.#clock.setTimeout(() => this.#arrive(), atMs)
    }
    this.#clock.setTimeout(() => void this.#consume(), atMs + 1)
  }

  #arrive(): void {
    const index = this.#arrived++
    const block = this.#blocks[index]
    if (block === undefined) return
    this.#note({ type: 'arrive', call: index })
    this.#executor.addTool(block, { role: 'assistant', content: [block] })
    if (this.#world.polls && this.#options.isBatch !== true)
      for (const event of this.#executor.getCompletedResults()) this.#receive(event)
  }

  async #consume(): Promise<void> {
    void this.#executor.settled.then(() => this.#note({ type: 'settled' }))
    for await (const event of this.#executor.getRemainingResults()) {
      this.#receive(event)
      if (this.#world.consumerMs > 0 && !this.#isDrained) await this.#clock.sleep(this.#world.consumerMs)
    }
    this.#isDrained = true
    this.#note({ type: 'drained' })
  }

  #receive(event: ExecutorEvent): void {
    const call = toIndex(event.toolUseId)
    if (event.type === 'tool-result') this.#note({ type: 'yield', call, event })
    if (event.type === 'tool-progress')
      this.#note({ type: this.#ended.has(call) ? 'late-progress' : 'progress', call })
    if (event.type === 'tool-end') this.#ended.add(call)
  }

  #strike({ kind }: Blow): void {
    this.#note({ type: 'blow', kind, hasEffects: this.#executor.hasEffects })
    if (kind === 'abort') this.#query.abort(new AbortReason('user-cancel'))
    else if (kind === 'interrupt') this.#executor.interrupt()
    else if (kind === 'cancel-queued') this.#executor.cancelQueued('refused')
    else this.#note({ type: 'discarded', results: this.#executor.discard() })
  }

  #debug({ toolUseId, state, detail }: DebugRecord): void {
    const call = toIndex(toolUseId)
    if (state === 'executing') this.#note({ type: 'begin', call })
    if (state === 'ended') this.#note({ type: 'ended', call })
    // The detail of this state is the cause.
    if (state === 'completed') this.#note({ type: 'answer', call, cause: detail as never })
  }

  #tool(name: string, interruptBehavior: 'cancel' | 'block'): Tool {
    const flag = z.boolean()
    return defineTool({
      name,
      description: name,
      inputSchema: z.strictObject({ id: z.string(), safe: flag, readOnly: flag, cancels: flag }),
      isConcurrencySafe: (input) => input.safe,
      isReadOnly: (input) => input.readOnly,
      failureCancelsSiblings: (input) => input.cancels,
      interruptBehavior: () => interruptBehavior,
      // oxlint-disable-next-line max-params -- the contract's own signature
      call: (input, context, _canUseTool, _parent, onProgress: (data: unknown) => void) =>
        this.#call(toIndex(input.id), context, onProgress),
      mapResult: (output: string, toolUseId) => ({
        type: 'tool_result',
        tool_use_id: toolUseId,
        content: output,
      }),
      maxResultSizeChars: 50,
    })
  }

  #call(call: number, context: ToolUseContext, onProgress: (data: unknown) => void): Promise<never> {
    const plan = this.#plan(call)
    this.#note({ type: 'enter', call, ...seen(context) })
    if (plan.call.outcome === 'throw-at-once') {
      this.#note({ type: 'ret', call, isFailure: true, modifies: false })
      throw new Error(`ran-${call}`)
    }
    return this.#work(call, context, onProgress)
  }

  async #work(call: number, context: ToolUseContext, onProgress: (data: unknown) => void): Promise<never> {
    const { delayMs, outcome, obeysSignal, progress } = this.#plan(call).call
    for (let index = 0; index < progress; index++) onProgress(index)
    const time = delayMs === 'never' ? new Promise<void>(() => undefined) : this.#clock.sleep(delayMs)
    await (obeysSignal ? Promise.race([time, aborted(context.abortController.signal)]) : time)
    onProgress('last')
    if (outcome === 'abort-self') {
      this.#note({ type: 'abort-self', call })
      context.abortController.abort(new AbortReason('permission-rejected'))
    }
    return this.#giveBack(
      call,
      outcome === 'throw' || (obeysSignal && context.abortController.signal.aborted),
    )
  }

  #giveBack(call: number, isThrow: boolean): never {
    const { outcome, modifies } = this.#plan(call).call
    const isFailure = isThrow || outcome === 'error'
    this.#note({ type: 'ret', call, isFailure, modifies: modifies && !isThrow })
    if (isThrow) throw new Error(`ran-${call}`)
    const data = outcome === 'large' ? `ran-${call} ${'x'.repeat(100)}` : `ran-${call}`
    const modifier = (before: ToolUseContext): ToolUseContext => ({ ...before, cwd: `${before.cwd}/${call}` })
    // The tool of this world has one shape of result.
    return { data, isError: outcome === 'error', ...(modifies && { contextModifier: modifier }) } as never
  }

  #hooks(): ToolHooks {
    const silent = { context: [], notices: [] }
    return {
      preToolUse: async ({ toolUseId, input, context, signal }) => {
        const { delayMs, outcome, rewrite } = this.#planOf(toolUseId).pre
        const call = toIndex(toolUseId)
        this.#note({ type: 'pre', call, ...seen(context) })
        await Promise.race([this.#clock.sleep(delayMs), aborted(signal)])
        if (outcome === 'throw') throw new Error('hook')
        if (outcome === 'deny') return this.#failing(call, { ...silent, blockingError: 'denied by hook' })
        if (rewrite === undefined) return silent
        this.#note({ type: 'rewrite', call, flags: rewrite })
        return { ...silent, updatedInput: { ...input, ...rewrite } }
      },
      postToolUse: async ({ toolUseId, context }) => {
        this.#note({ type: 'post', call: toIndex(toolUseId), ...seen(context) })
        await this.#clock.sleep(this.#planOf(toolUseId).postMs)
        return silent
      },
      postToolUseFailure: async ({ toolUseId, context }) => {
        this.#note({ type: 'post', call: toIndex(toolUseId), ...seen(context) })
        await this.#clock.sleep(this.#planOf(toolUseId).postMs)
        return silent
      },
    }
  }

  #authorize(): Authorize {
    const reason = { type: 'mode' as const, detail: 'test' }
    return async ({ toolUseId, input, context, signal }) => {
      const { delayMs, outcome, rewrite } = this.#planOf(toolUseId).authorize
      const call = toIndex(toolUseId)
      this.#note({ type: 'authorize', call, ...seen(context) })
      await Promise.race([this.#clock.sleep(delayMs), aborted(signal)])
      if (outcome === 'throw') return this.#failing(call, Promise.reject(new Error('authorize')))
      if (outcome === 'deny')
        return this.#failing(call, { behavior: 'deny' as const, message: 'denied', reason })
      if (outcome === 'reject') return { behavior: 'deny', message: '', interrupt: true, reason }
      if (rewrite === undefined) return { behavior: 'allow', reason }
      this.#note({ type: 'rewrite', call, flags: rewrite })
      return { behavior: 'allow', updatedInput: { ...input, ...rewrite }, reason }
    }
  }

  #failing<Value>(call: number, value: Value): Value {
    this.#note({ type: 'fail', call })
    return value
  }

  async #after(ms: number): Promise<void> {
    await this.#clock.sleep(ms)
    this.#note({ type: 'released' })
  }

  #planOf(id: string): CallPlan {
    return this.#plan(toIndex(id))
  }

  #plan(call: number): CallPlan {
    const plan = this.#world.calls[call]
    if (plan === undefined) throw new Error(`no call ${call}`)
    return plan
  }

  #note(fact: TraceFact): void {
    this.#events.push({ tick: this.#tick, atMs: this.#clock.now(), ...fact })
  }
}

function toBlock({ kind, flags }: CallPlan, index: number): ToolUseBlock {
  const names = { known: 'Known', cancellable: 'Cancellable', unknown: 'Unknown', 'bad-input': 'Known' }
  const id = `call-${index}`
  const input: { id: string } & Flags = { id, ...flags }
  return { type: 'tool_use', id, name: names[kind], input: kind === 'bad-input' ? { id } : input }
}

function toIndex(id: string): number {
  return Number(id.slice('call-'.length))
}

function seen({ cwd, abortController }: ToolUseContext): {
  readonly cwd: string
  readonly isAborted: boolean
} {
  return { cwd, isAborted: abortController.signal.aborted }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
