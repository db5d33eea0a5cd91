/** Waits for a promise, but not beyond an abort: then it rejects with the reason, and nothing is left on the signal. */
export async function beforeAbort<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const leave = (): void => reject(signal.reason)
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
