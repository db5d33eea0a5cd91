import { mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { openWorktree } from '@x/worktree'
import { expect, test } from 'vitest'
import { makeRepo } from './repo.ts'

test('finds a worktree again with all that was known of it', async () => {
  const repo = makeRepo()
  const worktree = await repo.create({ name: 'w' })
  for (const path of [worktree.path, '.claude/worktrees/w', '.claude/worktrees/../worktrees/w/']) {
    const opening = await openWorktree(path, { cwd: repo.root, git: repo.git })
    expect(opening).toEqual({ type: 'opened', worktree, isOurs: true })
  }
})

test('finds a worktree that a person made elsewhere, without a base', async () => {
  const repo = makeRepo()
  repo.run('worktree', 'add', '-q', '-b', 'mine', repo.outside('mine'))
  const opening = await openWorktree(repo.outside('mine'), { cwd: repo.root, git: repo.git })
  const worktree = {
    name: 'mine',
    path: repo.outside('mine'),
    root: repo.root,
    branch: 'mine',
    isHookMade: false,
  }
  expect(opening).toEqual({ type: 'opened', worktree, isOurs: false })
})

test('refuses the main checkout, its folders, links, other repositories, moved worktrees and nothing', async () => {
  const repo = makeRepo()
  const other = makeRepo()
  const worktree = await repo.create({ name: 'w' })
  const moved = await repo.create({ name: 'moved' })
  renameSync(moved.path, repo.path('.claude/worktrees/elsewhere'))
  symlinkSync(worktree.path, repo.path('.claude/worktrees/link'))
  mkdirSync(repo.path('.claude/worktrees/plain'))
  const foreign = await other.create()
  const paths = ['.', 'src', '.git', 'a.txt', 'none', foreign.path, other.root]
  const inside = ['link', 'link/src', 'plain', 'elsewhere', 'w/src'].map(
    (name) => `.claude/worktrees/${name}`,
  )
  for (const path of [...paths, ...inside]) {
    const opening = await openWorktree(path, { cwd: repo.root, git: repo.git })
    expect([path, opening.type]).toEqual([path, 'refused'])
  }
})
