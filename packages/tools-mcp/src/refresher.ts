/** Does something again when asked, once for many requests. */
export interface Refresher {
  /** Asks for it; what is asked while it runs is done once more behind it. */
  ask(): void
  /** Does no more; harmless twice. */
  stop(): void
}

/** Milliseconds in which further requests join the first. */
const GATHER_MS = 100
/** Milliseconds from one run to the next: who asks for ever must not be served for ever. */
const PAUSE_MS = 1000

/** Makes a refresher. `run` must not reject. */
export function createRefresher(run: () => Promise<void>): Refresher {
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  let isAskedAgain = false
  let isStopped = false
  const schedule = (delayMs: number): void => {
    timer = setTimeout(() => void work(), delayMs)
    timer.unref()
  }
  const work = async (): Promise<void> => {
    timer = undefined
    isRunning = true
    isAskedAgain = false
    await run()
    isRunning = false
    if (isAskedAgain && !isStopped) schedule(PAUSE_MS)
  }
  return {
    ask() {
      if (isStopped) return
      if (isRunning) isAskedAgain = true
      else if (timer === undefined) schedule(GATHER_MS)
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
