/** Waits for a promise, but not beyond an abort: then the answer is `undefined`, and nothing is left on the signal. */
export async function untilAborted<Value>(
  signal: AbortSignal,
  promise: Promise<Value> | undefined,
): Promise<Value | undefined> {
  if (promise === undefined || signal.aborted) {
    promise?.catch(() => undefined)
    return undefined
  }
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>()
  const onAbort = (): void => resolve(undefined)
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
