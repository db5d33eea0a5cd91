import { randomBytes } from 'node:crypto'
import type { EnteredWorktree } from '@x/tools-worktree'
import { readLastRecord } from '@x/transcript'
import { type Creation, createWorktree, type Removal, removeWorktree, type Worktree } from '@x/worktree'
import type { QueryOptions } from '../session-options.ts'
import { setUpQuietly } from '../set-up-quietly.ts'
import { createWorktreeHooks } from './worktree-hooks.ts'
import { readWorktreeRecord, worktreeRecordType } from './worktree-record.ts'
import { worktreeSettings } from './worktree-settings.ts'

/** Makes and removes worktrees as a session would, before there is one. Disposing ends its hooks. */
export interface SessionWorktrees extends AsyncDisposable {
  /**
   * Makes a worktree that no sweep removes, locked for this process; without a name it gets one that tells it from those of agents.
   * Rejects only with the signal's reason.
   */
  create(options: { readonly name?: string; readonly signal?: AbortSignal }): Promise<Creation>
  /** Removes a worktree if nothing would be lost. */
  remove(worktree: Worktree): Promise<Removal>
}

/** In which worktree a session is that was written down: `left` where it is in none any more; undefined where it never was in one. */
export async function readSessionWorktree(transcript: string): Promise<EnteredWorktree | 'left' | undefined> {
  return readWorktreeRecord(await readLastRecord(transcript, worktreeRecordType))
}

/** Opens what makes the worktree that a session is to begin in; settings and hooks are those of the options' folder. */
export function openSessionWorktrees(
  options: Pick<QueryOptions, 'cwd' | 'env' | 'settings'>,
): SessionWorktrees {
  const setup = setUpQuietly(options)
  const hooks = createWorktreeHooks(setup)
  return {
    create: ({ name = generatedName(), ...wanted }) =>
      createWorktree({
        ...worktreeSettings(setup),
        ...wanted,
        name,
        cwd: setup.cwd,
        isSweepable: false,
        hooks,
      }),
    remove: (worktree) => removeWorktree(worktree, { hooks }),
    [Symbol.asyncDispose]: () => setup.hooks[Symbol.asyncDispose](),
  }
}

function generatedName(): string {
  return `session-${randomBytes(5).toString('hex')}`
}
