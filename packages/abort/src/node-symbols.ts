/**
 * The symbols under which Node calls its own hooks on an event target, found by their description.
 *
 * They tell exactly how many listeners there are, also for `once`, `onabort`, duplicates and listeners held weakly.
 * A symbol that a later Node does not have is `undefined`; `linked-signal.ts` says what happens then.
 */
export interface NodeSymbols {
  /** The method that hears of each added listener, with the new count. */
  readonly newListener: symbol | undefined
  /** The method that hears of each removed listener, with the count that is left. */
  readonly removeListener: symbol | undefined
  /** Where a source keeps the signals that `AbortSignal.any` made of it and that are listened to. */
  readonly dependants: symbol | undefined
  /** Where a target keeps its listener limit. */
  readonly maxListeners: symbol | undefined
}

/** Looks the symbols up. */
export function findNodeSymbols(): NodeSymbols {
  const { signal } = new AbortController()
  const composite = AbortSignal.any([signal])
  composite.addEventListener('abort', nothing)
  composite.removeEventListener('abort', nothing)
  return {
    newListener: find(AbortSignal.prototype, 'kNewListener'),
    removeListener: find(AbortSignal.prototype, 'kRemoveListener'),
    dependants: find(signal, 'kDependantSignals'),
    maxListeners: find(signal, 'events.maxEventTargetListeners'),
  }
}

function find(holder: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(holder).find((symbol) => symbol.description === description)
}

function nothing(): void {}
