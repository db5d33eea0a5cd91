import type { Clock } from '@x/executor'

/** The system's time. A wait between two requests keeps the process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout(timer) {
    if (timer instanceof Object && 'ref' in timer) clearTimeout(timer as NodeJS.Timeout)
  },
}

/** Waits `ms`, but not beyond an abort. Never rejects, and leaves nothing on the signal. */
export async function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = clock.setTimeout(resolve, ms)
  const onAbort = (): void => resolve()
  signal.addEventListener('abort', onAbort)
  try {
    await promise
  } finally {
    signal.removeEventListener('abort', onAbort)
    clock.clearTimeout(timer)
  }
}
