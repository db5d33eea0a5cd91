import { join } from 'node:path'
import process from 'node:process'
import { stateFolder } from '@x/session'
import { createTrustStore } from '@x/settings'
import { createSessionStore, type SessionPlace } from '@x/transcript'
import { listWorktrees, lockWorktree, openWorktree, releaseWorktree, type Worktree } from '@x/worktree'
import type { EntryFacts } from './enter-new-worktree.ts'
import type { StartPlace } from './start-place.ts'

/**
 * Goes back into the worktree that a session began in. Undefined for a session that began elsewhere; one whose worktree is gone goes on
 * in the launch folder, and says so.
 *
 * @throws Error for a worktree that is there and cannot be used.
 */
export async function returnToWorktree(
  { project }: SessionPlace,
  { cwd, signal }: Pick<EntryFacts, 'cwd' | 'signal'>,
): Promise<StartPlace | undefined> {
  const store = createSessionStore({ stateFolder: stateFolder(process.env) })
  if (project === (await store.project(cwd))) return undefined
  for (const { worktree } of await listWorktrees({ cwd, signal })) {
    if ((await store.project(worktree.path)) === project) return enter(worktree, { cwd, signal })
  }
  const { root } = await createTrustStore().judge(cwd)
  const folder = await store.project(join(root, '.claude', 'worktrees'))
  return project.startsWith(`${folder}-`) ? stayBehind(cwd) : undefined
}

function stayBehind(cwd: string): StartPlace {
  const content = `The worktree of this session is gone; it goes on in ${cwd}.`
  return { cwd, notices: [{ level: 'notice', content }], leave: async () => undefined }
}

async function enter(
  { path }: Worktree,
  { cwd, signal }: Pick<EntryFacts, 'cwd' | 'signal'>,
): Promise<StartPlace> {
  const opened = await openWorktree(path, { cwd, signal })
  if (opened.type === 'refused') throw new Error(`cannot resume into worktree ${path}: ${opened.why}`)
  const { worktree } = opened
  const locked = await lockWorktree(worktree, { signal })
  if (locked.type === 'refused') throw new Error(`cannot resume into worktree ${path}: ${locked.why}`)
  return {
    cwd: worktree.path,
    notices: [{ level: 'notice', content: `Back in the worktree ${worktree.path}.` }],
    async leave() {
      await releaseWorktree(worktree).catch(() => undefined)
      return undefined
    },
  }
}
