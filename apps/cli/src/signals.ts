import process from 'node:process'
import { killAllSync } from '@x/process'
import type { Query } from '@x/session'

/** How signals end a run. */
export interface SignalWatch extends Disposable {
  /** The exit code that the last signal asks for; undefined while there was none. */
  readonly exitCode: number | undefined
  /** The run is to end without a result record. */
  readonly isSilent: boolean
}

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/**
 * Watches the signals that end a run: the first INT ends the turn with a result, a second one exits; TERM and HUP end the session
 * without a result record. The processes of running calls end with it.
 */
export function watchSignals(query: Query): SignalWatch {
  let exitCode: number | undefined
  let isSilent = false

  function onInterrupt(): void {
    if (exitCode !== undefined) exitNow(exitCode)
    exitCode = exitCodes.SIGINT
    query.interrupt({ cancelQueued: true })
  }

  function onEnd(signal: 'SIGTERM' | 'SIGHUP'): void {
    if (isSilent) exitNow(exitCodes[signal])
    isSilent = true
    exitCode = exitCodes[signal]
    void query.close()
  }

  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onEnd)
  process.on('SIGHUP', onEnd)
  return {
    get exitCode() {
      return exitCode
    },
    get isSilent() {
      return isSilent
    },
    [Symbol.dispose]() {
      process.off('SIGINT', onInterrupt)
      process.off('SIGTERM', onEnd)
      process.off('SIGHUP', onEnd)
    },
  }
}

function exitNow(code: number): never {
  killAllSync()
  process.exit(code)
}
