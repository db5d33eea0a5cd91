/** A value that came, or the news that it did not come in time. */
export type Graced<Value> = { readonly inTime: true; readonly value: Value } | { readonly inTime: false }

/**
 * Waits for a promise; once the signal aborts, for `graceMs` more and no longer. Rejects with what the promise rejects with. Leaves no
 * listener and no timer; what comes too late is dropped.
 */
export async function withGrace<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
  graceMs: number,
): Promise<Graced<Value>> {
  const { promise: over, resolve } = Promise.withResolvers<Graced<Value>>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const start = (): void => {
    timer ??= setTimeout(() => resolve({ inTime: false }), graceMs)
  }
  if (signal.aborted) start()
  signal.addEventListener('abort', start)
  try {
    return await Promise.race([promise.then((value) => ({ inTime: true, value }) as const), over])
  } finally {
    signal.removeEventListener('abort', start)
    clearTimeout(timer)
  }
}
