import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { removeWorktree, type Worktree } from '@x/worktree'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeRepo, type Repo, untouched, write } from './repo.ts'
import { snapshot } from './snapshot.ts'

/** One thing an agent may do. What git refuses is no harm. */
type Act = (worktree: Worktree, repo: Repo) => void

const acts: Readonly<Record<string, Act>> = {
  'change a file': ({ path }) => void write(join(path, 'a.txt'), 'changed\n'),
  'change it back': ({ path }) => void write(join(path, 'a.txt'), 'a\n'),
  'add a file': ({ path }) => void write(join(path, 'new.txt'), 'new\n'),
  'delete it': ({ path }) => rmSync(join(path, 'new.txt'), { force: true }),
  'make a folder': ({ path }) => void mkdirSync(join(path, 'empty'), { recursive: true }),
  'write an ignored file': ({ path }) => void write(join(path, 'out/x'), 'x'),
  'delete the ignored': ({ path }) => rmSync(join(path, 'out'), { recursive: true, force: true }),
  stage: ({ path }, repo) => void repo.runIn(path, 'add', '-A'),
  unstage: ({ path }, repo) => void repo.runIn(path, 'reset', '-q'),
  'hide a file': ({ path }, repo) => void repo.runIn(path, 'update-index', '--assume-unchanged', 'a.txt'),
  commit: ({ path }, repo) => void repo.runIn(path, 'commit', '-q', '-a', '--allow-empty', '-m', 'work'),
  'go back': ({ path, base = '' }, repo) => void repo.runIn(path, 'reset', '-q', '--hard', base),
  detach: ({ path }, repo) => void repo.runIn(path, 'checkout', '-q', '--detach'),
  attach: ({ path, branch = '' }, repo) => void repo.runIn(path, 'checkout', '-q', branch),
  stash: ({ path }, repo) => void repo.runIn(path, 'stash', '-q', '-u'),
  push: ({ path }, repo) => void repo.runIn(path, 'update-ref', 'refs/remotes/origin/x', 'HEAD'),
}

test('whatever is done in a worktree: it is kept as it is, or nothing of it is gone', async () => {
  const plans = fc.array(fc.constantFrom(...Object.keys(acts)), { minLength: 1, maxLength: 7 })
  const ends = new Set<string>()
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const repo = makeRepo()
      const worktree = await repo.create({ name: 'w' })
      const fresh = filesOf(worktree)
      const commits = new Set<string>()
      for (const name of plan) {
        attempt(() => acts[name]?.(worktree, repo))
        commits.add(repo.runIn(worktree.path, 'rev-parse', 'HEAD'))
      }
      const before = snapshot(worktree.path)
      const files = filesOf(worktree)

      const end = await untouched(repo, () => removeWorktree(worktree, { git: repo.git }))

      ends.add(end.type)
      if (end.type !== 'removed') {
        expect(snapshot(worktree.path)).toEqual(before)
        return
      }
      expect(files).toEqual(fresh)
      expect(repo.run('rev-list', ...commits, '--not', '--all')).toBe('')
      expect(repo.run('stash', 'list')).toBe('')
    }),
    {
      numRuns: 15,
      examples: [[['make a folder']], [['commit', 'go back']]],
    },
  )
  expect([...ends].sort()).toEqual(['kept', 'removed'])
})

function filesOf({ path }: Worktree): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(snapshot(path)).filter(([name]) => !name.endsWith('/')))
}

function attempt(act: () => void): void {
  try {
    act()
  } catch {
    // Nothing to stash, nothing to attach to.
  }
}
