import type { StateKey, ToolUseContext } from './context.ts'

/** The values that tools keep in their session, each behind its own key. */
export type SessionState = Pick<ToolUseContext, 'getState' | 'setState'>

/** Makes an empty state. A value lives as long as the state. */
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
