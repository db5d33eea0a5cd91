/** Waits for a promise, but no longer than until the signal aborts; rejects with its reason then. Leaves no listener. */
export async function raceSignal<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  // Whoever loses the race may still reject.
  promise.catch(() => {})
  if (signal === undefined) return promise
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
