import type { StateKey } from '@x/contract'

/** The values that tools keep in their session, each behind its own key. */
export interface SessionState {
  /** The value of a key; its first value where nothing was set. */
  getState<Value>(key: StateKey<Value>): Value
  /** Replaces a value by a function of the old one. */
  setState<Value>(key: StateKey<Value>, update: (value: Value) => Value): void
}

/** Makes an empty state. A value lives as long as its session. */
export function createSessionState(): SessionState {
  const values = new Map<object, unknown>()

  function getState<Value>(key: StateKey<Value>): Value {
    if (!values.has(key)) values.set(key, key.initial())
    // The map holds under a key only what that key's own functions made.
    return values.get(key) as Value
  }

  return {
    getState,
    setState: (key, update) => void values.set(key, update(getState(key))),
  }
}
