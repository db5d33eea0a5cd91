import type { EnteredWorktree } from '@x/tools-worktree'
import { readTranscript } from '@x/transcript'
import { type Creation, createWorktree, type Removal, removeWorktree, type Worktree } from '@x/worktree'
import type { QueryOptions } from '../session-options.ts'
import { setUpQuietly } from '../set-up-quietly.ts'
import { createWorktreeHooks } from './worktree-hooks.ts'
import { readWorktreeRecord } from './worktree-record.ts'
import { worktreeSettings } from './worktree-settings.ts'

/** Makes and removes worktrees as a session would, before there is one. Disposing ends its hooks. */
export interface SessionWorktrees extends AsyncDisposable {
  /** Makes a worktree that no sweep removes, locked for this process. Rejects only with the signal's reason. */
  create(options: { readonly name?: string; readonly signal?: AbortSignal }): Promise<Creation>
  /** Removes a worktree if nothing would be lost. */
  remove(worktree: Worktree): Promise<Removal>
}

/** In which worktree a session is that was written down: `left` where it is in none any more; undefined where it never was in one. */
export async function readSessionWorktree(
  transcript: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<EnteredWorktree | 'left' | undefined> {
  return readWorktreeRecord((await readTranscript(transcript, options)).metadata)
}

/** Opens what makes the worktree that a session is to begin in; settings and hooks are those of the options' folder. */
export function openSessionWorktrees(
  options: Pick<QueryOptions, 'cwd' | 'env' | 'settings'>,
): SessionWorktrees {
  const setup = setUpQuietly(options)
  const hooks = createWorktreeHooks(setup)
  return {
    create: (wanted) =>
      createWorktree({ ...worktreeSettings(setup), ...wanted, cwd: setup.cwd, isSweepable: false, hooks }),
    remove: (worktree) => removeWorktree(worktree, { hooks }),
    [Symbol.asyncDispose]: () => setup.hooks[Symbol.asyncDispose](),
  }
}
