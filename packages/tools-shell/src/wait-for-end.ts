import type { ProcessExit, ProcessHandle } from '@x/process'

/** What came first. */
export type FirstEvent =
  | { /** The command ended by itself. */ readonly kind: 'exited' /** How. */; readonly exit: ProcessExit }
  | { /** Its time was up; it still runs. */ readonly kind: 'timed-out' }
  | { /** The call was aborted; the command still runs. */ readonly kind: 'aborted' }

/** How long to wait. */
export interface Patience {
  /** The longest time, in milliseconds. */
  readonly timeoutMs: number
  /** Ends the waiting. */
  readonly signal: AbortSignal
}

/** Waits for the end of a command, its time limit or an abort; leaves no timer and no listener. */
export async function waitForEnd(
  handle: ProcessHandle,
  { timeoutMs, signal }: Patience,
): Promise<FirstEvent> {
  const first = Promise.withResolvers<FirstEvent>()
  const onAbort = (): void => first.resolve({ kind: 'aborted' })
  const timer = setTimeout(() => first.resolve({ kind: 'timed-out' }), timeoutMs)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  handle.exited.then((exit) => first.resolve({ kind: 'exited', exit }), first.reject)
  try {
    return await first.promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
