import { TimeoutReason } from '@x/abort'
import { describeError, type RawRun } from './raw-run.ts'

/** What ends the work of a handler from outside. */
export interface Deadline {
  /** Cancels it. */
  readonly signal: AbortSignal
  /** Its time; `undefined` for no limit. */
  readonly timeoutMs: number | undefined
  /** Whether a cancelled work is waited for: a process has to be gone. @default false */
  readonly waitsForEnd?: boolean
  /** What ends the work; once the deadline is over nothing of it is tied to that any more. @default its own */
  readonly controller?: AbortController
}

const MAX_TIMER_MS = 2_147_483_647

/**
 * Runs the work of a handler up to its deadline.
 *
 * The deadline holds even if the work ignores its signal; what it says later is dropped. A rejection is a failure.
 */
export async function withDeadline(
  work: (signal: AbortSignal) => Promise<RawRun>,
  { signal, timeoutMs, waitsForEnd = false, controller = new AbortController() }: Deadline,
): Promise<RawRun> {
  if (signal.aborted) return { kind: 'cancelled' }
  const settled = Promise.withResolvers<RawRun>()
  const onAbort = (): void => {
    controller.abort(signal.reason)
    if (!waitsForEnd) settled.resolve({ kind: 'cancelled' })
  }
  signal.addEventListener('abort', onAbort, { once: true })
  // Behind the listener: work may abort the signal before it returns.
  void settle(work, controller.signal).then(settled.resolve)
  const timer = startTimer(timeoutMs, (limitMs) => {
    settled.resolve({ kind: 'timed-out', timeoutMs: limitMs })
    controller.abort(new TimeoutReason(limitMs))
  })
  try {
    const run = await settled.promise
    return signal.aborted ? { kind: 'cancelled' } : run
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

function startTimer(
  timeoutMs: number | undefined,
  onElapsed: (timeoutMs: number) => void,
): NodeJS.Timeout | undefined {
  if (timeoutMs === undefined) return undefined
  const limitMs = Math.min(Math.max(timeoutMs, 1), MAX_TIMER_MS)
  return setTimeout(() => onElapsed(limitMs), limitMs)
}

async function settle(work: (signal: AbortSignal) => Promise<RawRun>, signal: AbortSignal): Promise<RawRun> {
  try {
    return await work(signal)
  } catch (error) {
    return { kind: 'failed', message: describeError(error) }
  }
}
