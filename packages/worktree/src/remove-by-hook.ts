import { examine } from './examine.ts'
import { type Finding, plainFinding } from './finding.ts'
import { standingAt } from './paths.ts'
import type { Removal } from './removal.ts'
import type { RemoveWorktreeOptions } from './remove-worktree.ts'
import { openSite } from './site.ts'
import type { Worktree, WorktreeHooks } from './types.ts'
import type { Working } from './working.ts'

/** A hook made it, a hook removes it; with git inside only when it is empty, as any other. */
export async function removeHookMade(
  worktree: Worktree,
  { hooks }: RemoveWorktreeOptions,
  working: Working,
): Promise<Removal> {
  const { path } = worktree
  if ((await standingAt(path)) === 'nothing') return { type: 'removed', branch: 'none' }
  const opened = await openSite(worktree, working)
  if (opened.type !== 'site')
    return { type: 'unknown', why: 'it was made by a hook, and git cannot tell what is in it', path }
  const examination = await examine(opened.site, { ...working, isHalfDone: false })
  if (examination.type === 'changed') return { type: 'kept', reasons: examination.findings, path }
  if (examination.type === 'unknown') return { type: 'unknown', why: examination.why, path }
  return callRemoveHook(path, hooks)
}

/** Its failure counts only while the folder is there. */
export async function callRemoveHook(path: string, hooks: WorktreeHooks | undefined): Promise<Removal> {
  if (hooks?.remove === undefined)
    return keep(plainFinding('hook-made', 'a hook made it, and no hook removes it'))
  let why = 'the hook left the folder where it is'
  try {
    await hooks.remove(path)
  } catch (error) {
    why = `the hook failed: ${error instanceof Error ? error.message : String(error)}`
  }
  const isGone = (await standingAt(path)) === 'nothing'
  return isGone ? { type: 'removed', branch: 'none' } : keep(plainFinding('hook-failed', why))

  function keep(reasons: readonly Finding[]): Removal {
    return { type: 'kept', reasons, path }
  }
}
