import process from 'node:process'
import type { SessionEvent } from '@x/contract'
import { killAllSync } from '@x/process'
import type { Query } from '@x/session'

/** How signals end a run. */
export interface SignalWatch extends Disposable {
  /** Must be told of every event: an interruption belongs to its turn. */
  saw(event: SessionEvent): void
  /** The exit code that signals ask for; undefined where the last turn was not interrupted. */
  readonly exitCode: number | undefined
  /** The run is to end without a result record. */
  readonly isSilent: boolean
}

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/**
 * Watches the signals that end a run: INT ends the turn with a result, a second one exits; INT between turns, TERM and HUP end the
 * session without a result record (`onSilent` hears of it). The processes of running calls end with it.
 */
export function watchSignals(query: Query, onSilent: () => void = () => {}): SignalWatch {
  const turn = { isOpen: true, isInterrupted: false, wasInterrupted: false }
  let silentCode: number | undefined

  function endSilently(code: number): void {
    if (silentCode !== undefined) exitNow(code)
    silentCode = code
    onSilent()
    void query.close()
  }

  function onInterrupt(): void {
    if (turn.isInterrupted) exitNow(exitCodes.SIGINT)
    if (!turn.isOpen) return endSilently(exitCodes.SIGINT)
    turn.isInterrupted = true
    query.interrupt({ cancelQueued: true })
  }

  const onEnd = (signal: 'SIGTERM' | 'SIGHUP'): void => endSilently(exitCodes[signal])

  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onEnd)
  process.on('SIGHUP', onEnd)
  return {
    saw({ type }) {
      turn.isOpen = type !== 'result'
      if (type !== 'result') return
      turn.wasInterrupted = turn.isInterrupted
      turn.isInterrupted = false
    },
    get exitCode() {
      return silentCode ?? (turn.wasInterrupted || turn.isInterrupted ? exitCodes.SIGINT : undefined)
    },
    get isSilent() {
      return silentCode !== undefined
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
