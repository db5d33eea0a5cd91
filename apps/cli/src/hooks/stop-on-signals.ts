import process from 'node:process'

/** Signals as something that can be waited for. */
export interface SignalStop extends Disposable {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal
  /** The exit code that the signal asks for; undefined where none came. */
  readonly exitCode: number | undefined
}

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** Lets a signal end the work instead of the process, so that what was started ends with it. */
export function stopOnSignals(): SignalStop {
  const controller = new AbortController()
  let exitCode: number | undefined
  const stop = (signal: NodeJS.Signals): void => {
    exitCode ??= Object.entries(exitCodes).find(([name]) => name === signal)?.[1]
    controller.abort()
  }
  for (const name of Object.keys(exitCodes)) process.on(name, stop)
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode
    },
    [Symbol.dispose]() {
      for (const name of Object.keys(exitCodes)) process.off(name, stop)
    },
  }
}
