/** Runs work some time after the last of many pokes, one run at a time. */
export interface Settler {
  /** Asks for a run once it has been quiet. */
  readonly poke: () => void
  /** Runs at once, behind a run that is under way; resolves when done. */
  readonly runNow: () => Promise<void>
  /** Begins to look from time to time. */
  readonly start: () => void
  /** Runs nothing any more; resolves when a run under way has ended. */
  readonly stop: () => Promise<void>
}

/** How long to wait, and what for. */
export interface SettlerOptions {
  /** Quiet time before a run. */
  readonly settleMs: number
  /** Time between two looks without a poke; 0 for none. */
  readonly pollMs: number
  /** Must not reject. */
  readonly run: () => Promise<void>
}

/** Somebody who never stops writing must not keep settings from being read. */
const maxQuietFactor = 10

/** Makes a {@link Settler}. None of its timers keeps the process alive. */
export function createSettler({ settleMs, pollMs, run }: SettlerOptions): Settler {
  let quiet: NodeJS.Timeout | undefined
  let latest: number | undefined
  let poll: NodeJS.Timeout | undefined
  let last = Promise.resolve()
  let isStopped = false

  const runNow = (): Promise<void> => {
    clearTimeout(quiet)
    latest = undefined
    last = last.then(() => (isStopped ? undefined : run()))
    return last
  }
  const poke = (): void => {
    if (isStopped) return
    const now = performance.now()
    latest ??= now + settleMs * maxQuietFactor
    clearTimeout(quiet)
    quiet = setTimeout(() => void runNow(), Math.max(0, Math.min(settleMs, latest - now)))
    quiet.unref()
  }
  return {
    poke,
    runNow,
    start: () => {
      if (pollMs > 0 && !isStopped) poll = setInterval(poke, pollMs).unref()
    },
    stop: () => {
      isStopped = true
      clearTimeout(quiet)
      clearInterval(poll)
      return last
    },
  }
}
