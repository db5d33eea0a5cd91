import process from 'node:process'
import type { QueryOptions, SessionNotice } from '@x/session'
import type { CliArguments } from '../arguments.ts'
import { stopOnSignals } from '../hooks/stop-on-signals.ts'
import { findResumed } from '../sessions/find-resumed.ts'
import { enterNewWorktree } from './enter-new-worktree.ts'
import { returnToWorktree } from './return-to-worktree.ts'
import { StoppedBySignal } from './stopped-by-signal.ts'

/** Where a session starts, and what is to be done about that place when it is over. */
export interface StartPlace {
  /** Absolute path of the folder. */
  readonly cwd: string
  /** The new worktree that it is, for ExitWorktree. One that the session goes back to it finds by itself. */
  readonly worktree?: QueryOptions['worktree']
  /** What the user should know about it. */
  readonly notices: readonly SessionNotice[]
  /**
   * Must be called once, after the session: `keep` lets go of a worktree, `tidy` removes it if it has no name and nothing is in it,
   * `left` is for a session that has left it itself, and said what is to become of it, `undo` for one that never began. Gives what the
   * user should know. Never rejects.
   */
  leave(how: 'keep' | 'tidy' | 'left' | 'undo'): Promise<string | undefined>
}

/** A place, and the session that goes on there. */
export interface FoundStart {
  readonly place: StartPlace
  /** The id of a session; undefined for a new one. */
  readonly resume: string | undefined
}

/**
 * Finds out where the session starts: in a new worktree, in the one it was in before, or right here.
 *
 * @throws StoppedBySignal where a signal ends it, TranscriptError where there is no such session, Error for a worktree that cannot be used.
 */
export async function findStartPlace(args: CliArguments, isHeadless: boolean): Promise<FoundStart> {
  const cwd = process.cwd()
  using stopping = stopOnSignals()
  const { signal } = stopping
  try {
    const found = await findResumed(args, cwd)
    const resume = found?.id
    if (args.worktree !== undefined)
      return { place: await enterNewWorktree(args, { cwd, isHeadless, signal }), resume }
    const place =
      found === undefined || args.forkSession ? undefined : await returnToWorktree(found, { cwd, signal })
    return { place: place ?? stayHere(cwd), resume }
  } catch (error) {
    if (signal.aborted) throw new StoppedBySignal(stopping.exitCode ?? 1)
    throw error
  }
}

function stayHere(cwd: string): StartPlace {
  return { cwd, notices: [], leave: async () => undefined }
}
