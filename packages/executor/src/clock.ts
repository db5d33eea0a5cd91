import type { Clock } from './types.ts'

/** The process's own time; its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout(callback, ms) {
    const timer = setTimeout(callback, ms)
    timer.unref()
    return timer
  },
  clearTimeout(timer) {
    // The handle comes from `setTimeout` above; the interface keeps it opaque.
    clearTimeout(timer as NodeJS.Timeout)
  },
}
