import { raceAbort } from '@x/abort'

/**
 * Waits for work that knows no signal. Rejects with the signal's reason as soon as it aborts, and before the work begins if it has; the work
 * then ends by itself and its outcome is dropped.
 */
export async function waitFor<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  signal?.throwIfAborted()
  return raceAbort(work(), signal)
}
