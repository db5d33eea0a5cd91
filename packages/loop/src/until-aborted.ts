import { raceAbort } from '@x/abort'

/** Waits for a promise, but not beyond an abort: then the answer is `undefined`, and nothing is left on the signal. */
export async function untilAborted<Value>(
  signal: AbortSignal,
  promise: Promise<Value> | undefined,
): Promise<Value | undefined> {
  if (promise === undefined) return undefined
  return raceAbort(promise, signal).catch((error: unknown) => {
    if (signal.aborted) return undefined
    throw error
  })
}
