import { allSettled } from './all-settled.ts'
import { ask } from './cannot-tell.ts'
import type { Site } from './site.ts'
import type { Asking } from './working.ts'

/** Where a worktree stands. */
export interface Refs {
  /** The commit of its HEAD. */
  readonly head: string
  /** The branch that is checked out; undefined when HEAD is detached. */
  readonly onBranch: string | undefined
  /** The commit of the branch it was made with; undefined when that is gone. */
  readonly tip: string | undefined
  /** Refs that this worktree alone has. */
  readonly own: readonly string[]
  /** The repository has a stash. */
  readonly hasStash: boolean
}

/** Reads HEAD, the branch and what else points to commits, in two questions. */
export async function readRefs(site: Site, { git, signal }: Asking): Promise<Refs> {
  const call = { cwd: site.folder, signal }
  const branch = site.branch === undefined ? [] : [`refs/heads/${site.branch}`]
  const places = [...branch, 'refs/worktree', 'refs/bisect', 'refs/rewritten', 'refs/stash']
  const [heads, refs] = await allSettled([
    ask(git, ['rev-parse', 'HEAD', '--symbolic-full-name', 'HEAD'], call),
    ask(git, ['for-each-ref', '--format=%(refname) %(objectname)', ...places], call),
  ])
  const [head = '', name = ''] = heads.split('\n')
  const found = new Map(refs.split('\n').filter(Boolean).map(toPair))
  return {
    head,
    onBranch: name === 'HEAD' ? undefined : name.replace('refs/heads/', ''),
    tip: found.get(`refs/heads/${site.branch}`),
    own: [...found.keys()].filter((ref) => !/^refs\/(heads|stash)/.test(ref)),
    hasStash: found.has('refs/stash'),
  }
}

function toPair(line: string): readonly [string, string] {
  const [name = '', commit = ''] = line.split(' ')
  return [name, commit]
}
