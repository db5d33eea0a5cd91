/**
 * Waits for work that knows no signal. Rejects with the signal's reason as soon as it aborts, and before the work begins if it has; the work
 * then ends by itself and its outcome is dropped.
 */
export async function waitFor<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return work()
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
