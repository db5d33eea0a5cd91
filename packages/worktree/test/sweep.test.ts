import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listWorktrees, lockWorktree, releaseWorktree, sweepWorktrees, type Worktree } from '@x/worktree'
import { expect, test } from 'vitest'
import { makeRepo, type Repo, untouched, write } from './repo.ts'

const DAY_MS = 24 * 60 * 60 * 1000

async function makeFree(repo: Repo, name: string): Promise<Worktree> {
  const worktree = await repo.create({ name })
  await releaseWorktree(worktree, { git: repo.git })
  return worktree
}

/** Rewrites a lock as another process would have made it. */
function relock(repo: Repo, name: string, change: (reason: string) => string): void {
  const file = repo.path('.git/worktrees', name, 'locked')
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}

const bury = (reason: string): string => reason.replace(/process \d+ /, 'process 99999999 ')

test('lists every worktree with its state, and no others', async () => {
  const repo = makeRepo()
  await makeFree(repo, 'free')
  await repo.create({ name: 'used' })
  await repo.create({ name: 'dead' })
  relock(repo, 'dead', bury)
  const gone = await makeFree(repo, 'gone')
  rmSync(gone.path, { recursive: true })
  write(repo.path('.claude/worktrees/strange/x'), 'x')
  repo.run('worktree', 'add', '-q', repo.outside('of-a-person'))

  const listed = await untouched(repo, () => listWorktrees({ cwd: repo.root, git: repo.git }))

  expect(Object.fromEntries(listed.map(({ worktree, state }) => [worktree.name, state]))).toEqual({
    free: 'ready',
    used: 'in-use',
    dead: 'abandoned',
    gone: 'missing',
    strange: 'unregistered',
  })
  expect(listed.find(({ worktree }) => worktree.name === 'used')?.detail).toContain(`process ${process.pid}`)
})

test('lists nothing where there is no repository', async () => {
  const repo = makeRepo()
  expect(await listWorktrees({ cwd: repo.outside(), git: repo.git })).toEqual([])
  expect(await sweepWorktrees({ cwd: repo.outside(), git: repo.git })).toEqual({
    removed: [],
    released: [],
    kept: [],
  })
})

test('a sweep releases the lock of a dead process, and that of a process whose id another one has now', async () => {
  const repo = makeRepo()
  await repo.create({ name: 'dead' })
  relock(repo, 'dead', bury)
  await repo.create({ name: 'reused' })
  relock(repo, 'reused', (reason) => reason.replace(/started [^)]*/, 'started 1-00000000'))
  const sweep = await sweepWorktrees({ cwd: repo.root, git: repo.git })
  expect(sweep.released.map(({ name }) => name)).toEqual(['dead', 'reused'])
  expect(sweep.removed).toEqual([])
  expect(existsSync(repo.path('.git/worktrees/dead/locked'))).toBe(false)
})

test('a sweep leaves alone what is in use here, on another machine, or locked by a person', async () => {
  const repo = makeRepo()
  await repo.create({ name: 'here' })
  await repo.create({ name: 'elsewhere' })
  relock(repo, 'elsewhere', (reason) => bury(reason).replace(/ on \S+;/, ' on another-host;'))
  const held = await makeFree(repo, 'held')
  repo.run('worktree', 'lock', held.path)
  const sweep = await untouched(repo, () => sweepWorktrees({ cwd: repo.root, git: repo.git, maxAgeDays: 0 }))
  expect(sweep).toEqual({ removed: [], released: [], kept: [] })
  expect(await lockWorktree(held, { git: repo.git })).toMatchObject({ type: 'refused' })
})

test('a sweep removes what is empty and long unused, 30 days by default', async () => {
  const repo = makeRepo()
  const worktree = await makeFree(repo, 'old')
  const later = (days: number) => () => Date.now() + days * DAY_MS
  const young = await sweepWorktrees({ cwd: repo.root, git: repo.git, now: later(29) })
  expect(young.removed).toEqual([])
  const old = await untouched(repo, () => sweepWorktrees({ cwd: repo.root, git: repo.git, now: later(31) }))
  expect(old.removed).toEqual([worktree])
  expect(repo.branches()).toEqual(['main'])
})

test('a sweep keeps changes and unpushed commits, and says so; the branch of pushed ones stays', async () => {
  const repo = makeRepo()
  const changed = await makeFree(repo, 'changed')
  write(join(changed.path, 'x'), 'x')
  const local = await makeFree(repo, 'local')
  const pushed = await makeFree(repo, 'pushed')
  for (const { path } of [local, pushed]) repo.runIn(path, 'commit', '-q', '--allow-empty', '-m', path)
  repo.run('update-ref', 'refs/remotes/origin/pushed', 'worktree-pushed')
  const sweep = await untouched(repo, () => sweepWorktrees({ cwd: repo.root, git: repo.git, maxAgeDays: 0 }))
  expect(sweep.removed.map(({ name }) => name)).toEqual(['pushed'])
  expect(repo.branches()).toEqual(['main', 'worktree-changed', 'worktree-local', 'worktree-pushed'])
  const reasons = sweep.kept.map(({ worktree, reasons }) => [worktree.name, reasons.map(({ code }) => code)])
  expect(reasons).toEqual([
    ['changed', ['untracked']],
    ['local', ['commits', 'unpushed', 'dropped-commits']],
  ])
})

test('a sweep never removes what a person asked for by hand', async () => {
  const repo = makeRepo()
  const worktree = await repo.create({ isSweepable: false })
  await releaseWorktree(worktree, { git: repo.git })
  expect((await sweepWorktrees({ cwd: repo.root, git: repo.git, maxAgeDays: 0 })).removed).toEqual([])
  expect(existsSync(worktree.path)).toBe(true)
})

test('a sweep forgets a worktree whose folder was deleted, but not one with commits or staged files', async () => {
  const repo = makeRepo()
  const [empty, committed, staged] = [
    await makeFree(repo, 'empty'),
    await makeFree(repo, 'committed'),
    await makeFree(repo, 'staged'),
  ]
  repo.runIn(committed.path, 'checkout', '-q', '--detach')
  repo.runIn(committed.path, 'commit', '-q', '--allow-empty', '-m', 'only here')
  write(join(staged.path, 'x'), 'x')
  repo.runIn(staged.path, 'add', 'x')
  for (const { path } of [empty, committed, staged]) rmSync(path, { recursive: true })
  const sweep = await sweepWorktrees({ cwd: repo.root, git: repo.git, maxAgeDays: 0 })
  expect(sweep.removed.map(({ name }) => name)).toEqual(['empty'])
  expect(sweep.kept.map(({ worktree }) => worktree.name)).toEqual(['committed', 'staged'])
})

test.each([-1, Number.NaN])('refuses %d days', async (maxAgeDays) => {
  const repo = makeRepo()
  await expect(sweepWorktrees({ cwd: repo.root, git: repo.git, maxAgeDays })).rejects.toBeInstanceOf(
    RangeError,
  )
})

test('an abort rejects with its reason', async () => {
  const repo = makeRepo()
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(sweepWorktrees({ cwd: repo.root, git: repo.git, signal })).rejects.toThrow('enough')
  await expect(listWorktrees({ cwd: repo.root, git: repo.git, signal })).rejects.toThrow('enough')
})
