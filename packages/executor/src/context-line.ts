import type { ContextModifier, Run } from './run.ts'
import type { BaseContext } from './types.ts'

/**
 * The context as it moves on from call to call.
 *
 * A modifier of an exclusive call counts at once. What calls that ran side by side want has no order: the batch engine
 * collects it and applies it together, in call order, after their run; the streaming one ignores it.
 */
export class ContextLine {
  #current: BaseContext
  readonly #collects: boolean
  #collected: { readonly run: Run; readonly modifier: ContextModifier }[] = []

  constructor(start: BaseContext, options: { readonly collects: boolean }) {
    this.#current = start
    this.#collects = options.collects
  }

  /** The context for whoever begins now. */
  get current(): BaseContext {
    return this.#current
  }

  /** Takes a modifier in. Throws what it throws; the context stays then. */
  modify(run: Run, modifier: ContextModifier): void {
    if (run.call.isExclusive) this.#apply(run, modifier)
    else if (this.#collects) this.#collected.push({ run, modifier })
  }

  /** A run of calls side by side is over. One of their modifiers that throws is left out: its call has been answered. */
  endRun(): void {
    if (this.#collected.length === 0) return
    const collected = this.#collected.sort((one, other) => one.run.call.order - other.run.call.order)
    this.#collected = []
    for (const { run, modifier } of collected) {
      try {
        this.#apply(run, modifier)
      } catch {
        run.kit.options.debug?.({
          toolUseId: run.call.id,
          toolName: run.tool.name,
          state: 'ended',
          isConcurrencySafe: true,
          beside: [],
          detail: 'its change of the context failed',
        })
      }
    }
  }

  #apply(run: Run, modifier: ContextModifier): void {
    const next: unknown = modifier({
      ...this.#current,
      abortController: run.control.controller,
      toolUseId: run.call.id,
    })
    if (typeof next !== 'object' || next === null) throw new TypeError('the modifier gave back no context')
    // A modifier gives back a whole context; the two fields that belong to one call go.
    const { abortController: _controller, toolUseId: _id, ...base } = next as Run['context']
    this.#current = base
  }
}
