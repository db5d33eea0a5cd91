/**
 * Waits for a promise that knows no signal, but not beyond an abort: then it rejects with `signal.reason`, unchanged.
 *
 * Nothing is left on the signal. The promise goes on by itself; what it comes to after the abort is dropped, a rejection too.
 *
 * @example
 * await raceAbort(fetchSlowly(), controller.signal)
 */
export async function raceAbort<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  // Whoever loses the race may still reject.
  promise.catch(() => {})
  if (signal === undefined) return promise
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const leave = (): void => reject(signal.reason)
  signal.addEventListener('abort', leave)
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
