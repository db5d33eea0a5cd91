import { createTimeoutAbortController } from '@x/abort'
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
  using limit = createTimeoutAbortController(timeoutMs, { parent: signal })
  const stopped = Promise.withResolvers<FirstEvent>()
  const onStop = (): void => stopped.resolve({ kind: signal.aborted ? 'aborted' : 'timed-out' })
  limit.signal.addEventListener('abort', onStop, { once: true })
  if (limit.signal.aborted) onStop()
  return await Promise.race([
    stopped.promise,
    handle.exited.then((exit): FirstEvent => ({ kind: 'exited', exit })),
  ])
}
