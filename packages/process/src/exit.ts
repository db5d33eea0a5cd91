/** How a process came to its end. Exactly one for each start, and always a value: nothing here is thrown. */
export type ProcessExit = (
  | { /** Ended by itself. */ readonly kind: 'exited' /** Its exit status. */; readonly code: number }
  | {
      /** Ended by a signal that did not come from here. */
      readonly kind: 'signalled'
      /** The signal's name. */
      readonly signal: NodeJS.Signals
    }
  | StartFailure
  | { /** Its time was up. */ readonly kind: 'timed-out' /** The limit. */; readonly timeoutMs: number }
  | {
      /** The signal aborted. */ readonly kind: 'aborted' /** The signal's reason. */
      readonly reason: unknown
    }
  | { /** `kill` was called. */ readonly kind: 'killed' /** What it was given. */; readonly reason: unknown }
  | { /** `onLine` returned false. */ readonly kind: 'stopped' }
  | {
      /** The output file grew too large. */
      readonly kind: 'output-limit'
      /** The limit. */
      readonly maxFileBytes: number
    }
) &
  ExitFacts

/** Facts that every end has. */
export interface ExitFacts {
  /** Milliseconds from the start to this result. */
  readonly durationMs: number
  /** What became of the other processes of the tree. */
  readonly leftovers: Leftovers
}

/** Processes of the tree besides the main one. */
export interface Leftovers {
  /** How many were there and have been ended from here. */
  readonly ended: number
  /** Process ids of those still running: kept on request, or impossible to end. */
  readonly kept: readonly number[]
}

/** The process never ran. */
export interface StartFailure {
  /** Says so. */
  readonly kind: 'failed-to-start'
  /** What was in the way. */
  readonly problem: StartProblem
  /** The system's code, such as `ENOENT`. */
  readonly code: string
  /** One sentence that names the command or folder. */
  readonly message: string
}

/** Why a process could not be started. */
export type StartProblem =
  | 'command-missing'
  | 'cwd-missing'
  | 'permission-denied'
  | 'arguments-too-long'
  | 'out-of-resources'
  | 'output-file'
  | 'invalid'
