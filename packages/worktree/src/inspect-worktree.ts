import { examine } from './examine.ts'
import type { Finding } from './finding.ts'
import { openSite } from './site.ts'
import type { Worktree, WorktreeOptions } from './types.ts'
import { workingOf } from './working.ts'

/** What is in a worktree beside what it was made with. */
export type Inspection =
  | {
      /** Nothing: removing it would lose nothing. */
      readonly type: 'empty'
    }
  | {
      /** Something. */
      readonly type: 'changed'
      /** Each kind of thing once. */
      readonly reasons: readonly Finding[]
    }
  | {
      /** Nobody can tell, so it must stay. */
      readonly type: 'unknown'
      /** What was in the way. */
      readonly why: string
    }

/** Says what would be lost if the worktree were gone. Changes nothing. Rejects only with the signal's reason. */
export async function inspectWorktree(
  worktree: Worktree,
  options: WorktreeOptions = {},
): Promise<Inspection> {
  options.signal?.throwIfAborted()
  const working = workingOf(options)
  const opened = await openSite(worktree, working)
  if (opened.type === 'unknown') return opened
  if (opened.type === 'missing') return { type: 'unknown', why: `${worktree.path} does not exist` }
  const examination = await examine(opened.site, { ...working, isHalfDone: false })
  if (examination.type === 'empty') return { type: 'empty' }
  return examination.type === 'changed' ? { type: 'changed', reasons: examination.findings } : examination
}
