/** Knows which calls are on the screen. */
export interface ShownCalls {
  /** The call, and with it all that was said before it, is on the screen now. */
  add(id: string): void
  /** Resolves when the call is on the screen. */
  shown(id: string): Promise<void>
}

/** Makes one that knows of no call. */
export function createShownCalls(): ShownCalls {
  const calls = new Map<string, PromiseWithResolvers<void>>()
  const call = (id: string): PromiseWithResolvers<void> => {
    const known = calls.get(id) ?? Promise.withResolvers<void>()
    calls.set(id, known)
    return known
  }
  return { add: (id) => call(id).resolve(), shown: (id) => call(id).promise }
}
