import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { readSessionWorktree, stateFolder } from '@x/session'
import { createTrustStore } from '@x/settings'
import { createSessionStore, type SessionPlace } from '@x/transcript'
import { listWorktrees, lockWorktree, openWorktree, releaseWorktree, type Worktree } from '@x/worktree'
import type { EntryFacts } from './enter-new-worktree.ts'
import type { StartPlace } from './start-place.ts'

/**
 * Goes back into the worktree that a session began in. Undefined for a session that began elsewhere, has left it, or finds out for itself
 * that it is gone. One that was never written down is known by its folder.
 *
 * @throws Error for a worktree that is there and cannot be used.
 */
export async function returnToWorktree(
  { project, path }: SessionPlace,
  { cwd, signal }: Pick<EntryFacts, 'cwd' | 'signal'>,
): Promise<StartPlace | undefined> {
  const store = createSessionStore({ stateFolder: stateFolder(process.env) })
  if (project === (await store.project(cwd))) return undefined
  const written = await readSessionWorktree(path)
  if (written === 'left') return undefined
  if (written !== undefined) {
    const { worktree } = written
    const isThere = existsSync(worktree.path) && (await store.project(worktree.path)) === project
    return isThere ? enter(worktree, { signal, notices: [] }) : undefined
  }
  for (const { worktree } of await listWorktrees({ cwd, signal })) {
    if ((await store.project(worktree.path)) === project) {
      const content = `Back in the worktree ${worktree.path}.`
      return enter(worktree, { signal, notices: [{ level: 'notice', content }] })
    }
  }
  const { root } = await createTrustStore().judge(cwd)
  const folder = await store.project(join(root, '.claude', 'worktrees'))
  return project.startsWith(`${folder}-`) ? stayBehind(cwd) : undefined
}

function stayBehind(cwd: string): StartPlace {
  const content = `The worktree of this session is gone; it goes on in ${cwd}.`
  return { cwd, notices: [{ level: 'notice', content }], leave: async () => undefined }
}

interface Entry extends Pick<EntryFacts, 'signal'>, Pick<StartPlace, 'notices'> {}

async function enter(known: Worktree, { signal, notices }: Entry): Promise<StartPlace> {
  // Of what a hook made git may know nothing; the session looks at it itself.
  const worktree = known.isHookMade ? known : await lock(known, signal)
  return {
    cwd: worktree.path,
    notices,
    async leave() {
      await releaseWorktree(worktree).catch(() => undefined)
      return undefined
    },
  }
}

async function lock({ path, root }: Worktree, signal: AbortSignal): Promise<Worktree> {
  const opened = await openWorktree(path, { cwd: root, signal })
  if (opened.type === 'refused') throw new Error(`cannot resume into worktree ${path}: ${opened.why}`)
  const locked = await lockWorktree(opened.worktree, { signal })
  if (locked.type === 'refused') throw new Error(`cannot resume into worktree ${path}: ${locked.why}`)
  return opened.worktree
}
