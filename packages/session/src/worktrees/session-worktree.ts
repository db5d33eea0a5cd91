import type { ToolUseContext } from '@x/contract'
import type { Permissions } from '@x/permissions'
import { type EnteredWorktree, resumeWorktree, worktreeState } from '@x/tools-worktree'
import { releaseWorktree } from '@x/worktree'
import type { SessionLog } from '../log/session-log.ts'
import type { SessionSetup } from '../session-setup.ts'
import { readWorktreeRecord, toWorktreeRecord, worktreeRecordType } from './worktree-record.ts'

/** Where a session begins, as far as worktrees are concerned. */
export type WorktreeStart =
  | { readonly type: 'new' | 'back'; readonly entered: EnteredWorktree }
  /** The one it was in does not exist any more. */
  | { readonly type: 'lost'; readonly path: string }
  | { readonly type: 'none' }

/**
 * Finds the worktree that the session is to be in: the given one, or that in which it was when it was written down. A copy of a session
 * has no record of one.
 *
 * @throws Error for a worktree that is there and must not be used.
 */
export async function findWorktreeStart(
  { options }: Pick<SessionSetup, 'options'>,
  { metadata }: Pick<SessionLog, 'metadata'>,
  signal: AbortSignal,
): Promise<WorktreeStart> {
  if (options.worktree !== undefined) return { type: 'new', entered: options.worktree }
  const written = readWorktreeRecord(metadata.get(worktreeRecordType))
  if (written === undefined || written === 'left') return { type: 'none' }
  const { path } = written.worktree
  const resumed = await resumeWorktree(written, { signal }).catch((error: unknown) => {
    // The host has gone: the session ends before it does anything.
    if (signal.aborted) return undefined
    throw error
  })
  if (resumed === undefined) return { type: 'none' }
  if (resumed.type === 'unsafe') throw new Error(`cannot resume into worktree ${path}: ${resumed.why}`)
  return resumed.type === 'gone' ? { type: 'lost', path } : { type: 'back', entered: resumed.entered }
}

type State = Pick<ToolUseContext, 'getState' | 'setState'>

/** What follows from a session's being in another worktree, or in none any more. */
interface WorktreeFollowers {
  readonly log: () => SessionLog
  readonly permissions: Pick<Permissions, 'update'>
}

/**
 * Follows every worktree that is entered or left through this state: it is written down in front of what the model is told of it, and
 * the folder that the session is in from now on is a working directory.
 */
export function followWorktree<Context extends State>(
  context: Context,
  { log, permissions }: WorktreeFollowers,
): Context {
  return {
    ...context,
    setState(key, update) {
      const before = context.getState(worktreeState)
      context.setState(key, update)
      const entered = context.getState(worktreeState)
      if (!Object.is(key, worktreeState) || (before === undefined && entered === undefined)) return
      const directory = entered?.worktree.path ?? before?.originalCwd ?? ''
      permissions.update([{ type: 'addDirectories', directories: [directory], destination: 'session' }])
      void write(log(), entered)
    },
  }
}

/** Writes down that the worktree is gone: who goes on next is not told again. */
export function leaveForGood(log: SessionLog): Promise<void> {
  return write(log, undefined)
}

/** What cannot be written ends the next query. */
function write(log: SessionLog, entered: EnteredWorktree | undefined): Promise<void> {
  return log.note(toWorktreeRecord(entered)).catch(() => undefined)
}

/** Lets go of the worktree that a session is in when it ends: others may use it, and clear it away if nothing is in it. */
export async function letGoOfWorktree(entered: EnteredWorktree | undefined): Promise<void> {
  if (entered !== undefined) await releaseWorktree(entered.worktree).catch(() => undefined)
}
