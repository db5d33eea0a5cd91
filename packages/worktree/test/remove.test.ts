import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import {
  discardWorktree,
  inspectWorktree,
  lockWorktree,
  releaseWorktree,
  removeWorktree,
  type Worktree,
} from '@x/worktree'
import { describe, expect, test } from 'vitest'
import { makeRepo, type Repo, untouched, write } from './repo.ts'
import { snapshot } from './snapshot.ts'
import { placeOf, waysToLose } from './ways-to-lose.ts'

test('there are more than 50 ways to lose a byte', () => {
  expect(Object.values(waysToLose).flat().length).toBeGreaterThan(50)
})

test('29. a worktree without a change is removed with its branch', async () => {
  const repo = makeRepo()
  await untouched(repo, async () => {
    const worktree = await repo.create({ name: 'idle' })
    expect(await inspectWorktree(worktree, { git: repo.git })).toEqual({ type: 'empty' })
    expect(await removeWorktree(worktree, { git: repo.git })).toEqual({ type: 'removed', branch: 'removed' })
    expect(existsSync(worktree.path)).toBe(false)
    expect(repo.run('worktree', 'list', '--porcelain')).not.toContain('idle')
    expect(repo.branches()).toEqual(['main'])
  })
})

test('a worktree is removed although git shares its index with older ones, whose time it renews', async () => {
  const repo = makeRepo()
  repo.run('config', 'core.splitIndex', 'true')
  const worktree = await repo.create({ name: 'w' })
  repo.runIn(worktree.path, 'update-index', '--split-index')
  const admin = repo.path('.git/worktrees/w')
  const [shared = ''] = readdirSync(admin).filter((name) => name.startsWith('sharedindex.'))
  const onStep = (step: string): void => {
    if (step === 'check-git') utimesSync(join(admin, shared), new Date(), new Date())
  }
  const removal = await removeWorktree(worktree, { git: repo.git, onStep })
  expect(removal).toEqual({ type: 'removed', branch: 'removed' })
})

test('30. a worktree with one commit is kept, and says which', async () => {
  const repo = makeRepo()
  const worktree = await repo.create()
  write(join(worktree.path, 'new.txt'), 'x')
  repo.runIn(worktree.path, 'add', '-A')
  repo.runIn(worktree.path, 'commit', '-q', '-m', 'work')
  const head = repo.runIn(worktree.path, 'rev-parse', 'HEAD')

  const end = await untouched(repo, () => removeWorktree(worktree, { git: repo.git }))

  expect(end).toMatchObject({ type: 'kept', path: worktree.path })
  expect(end.type === 'kept' && end.reasons.find(({ code }) => code === 'commits')?.examples).toEqual([head])
  expect(repo.run('rev-parse', worktree.branch ?? '')).toBe(head)
})

const harmless: readonly (readonly [string, (worktree: Worktree, repo: Repo) => void])[] = [
  ['a file was written anew with the same bytes', ({ path }) => void write(join(path, 'a.txt'), 'a\n')],
  ['a file was touched', ({ path }) => utimesSync(join(path, 'a.txt'), new Date(), new Date())],
  [
    'folders without a file were made',
    ({ path }) => void mkdirSync(join(path, 'empty/inner'), { recursive: true }),
  ],
  ['a new file came and went', ({ path }) => unlinkSync(write(join(path, 'new.txt'), 'x'))],
  ['git was asked', ({ path }, repo) => void repo.runIn(path, 'status')],
  [
    'a commit went to another branch, which stays',
    ({ path, branch = '' }, repo) => {
      repo.runIn(path, 'checkout', '-q', '-b', 'worktree-elsewhere')
      repo.runIn(path, 'commit', '-q', '--allow-empty', '-m', 'safe')
      repo.runIn(path, 'checkout', '-q', branch)
    },
  ],
]

test.each(harmless)('a worktree is removed when %s', async (_, act) => {
  const repo = makeRepo()
  const worktree = await repo.create()
  act(worktree, repo)
  expect(await removeWorktree(worktree, { git: repo.git })).toEqual({ type: 'removed', branch: 'removed' })
})

test('copied files and links that are as they were made go with it, their originals stay', async () => {
  const repo = makeRepo()
  repo.write('.worktreeinclude', '.env\n')
  repo.commit('include')
  repo.write('.env', 'A=1\n')
  repo.write('out/big.bin', 'big')
  const worktree = await repo.create({ symlinkDirectories: ['out'] })
  expect(readFileSync(join(worktree.path, 'out/big.bin'), 'utf8')).toBe('big')
  expect(await removeWorktree(worktree, { git: repo.git })).toMatchObject({ type: 'removed' })
  expect(readFileSync(repo.path('out/big.bin'), 'utf8')).toBe('big')
  expect(readFileSync(repo.path('.env'), 'utf8')).toBe('A=1\n')
})

test('a second removal finds nothing left to do', async () => {
  const repo = makeRepo()
  const worktree = await repo.create()
  await removeWorktree(worktree, { git: repo.git })
  expect(await removeWorktree(worktree, { git: repo.git })).toEqual({ type: 'removed', branch: 'none' })
})

test('a branch with pushed commits stays when its folder may go', async () => {
  const repo = makeRepo()
  const worktree = await repo.create()
  repo.runIn(worktree.path, 'commit', '-q', '--allow-empty', '-m', 'pushed')
  repo.run('update-ref', 'refs/remotes/origin/x', worktree.branch ?? '')
  expect(await removeWorktree(worktree, { git: repo.git })).toMatchObject({ type: 'kept' })
  const end = await removeWorktree(worktree, { git: repo.git, allowsPushed: true })
  expect(end).toEqual({ type: 'removed', branch: 'kept' })
  expect(repo.branches()).toContain(worktree.branch)
})

describe('what is written while it is removed', () => {
  const writes: Readonly<Record<string, (folder: string, repo: Repo) => void>> = {
    'a new file': (folder) => writeFileSync(join(folder, 'late.txt'), 'late'),
    'a changed file': (folder) => writeFileSync(join(folder, 'src/b.txt'), 'late'),
    'a file in a new folder': (folder) => void write(join(folder, 'src/late/late.txt'), 'late'),
    'a link': (folder) => symlinkSync('late', join(folder, 'late')),
    'a commit': (folder, repo) => void repo.runIn(folder, 'commit', '-q', '--allow-empty', '-m', 'late'),
  }
  const moments = ['examine', 'move-aside', 'examine-again', 'delete']
  const cases = moments.flatMap((moment) => Object.keys(writes).map((what) => [moment, what] as const))

  test.each(cases)('before the step %s is not lost: %s', async (moment, what) => {
    const repo = makeRepo()
    const worktree = await repo.create({ name: 'w' })
    const place = placeOf(repo, worktree)
    let written: Readonly<Record<string, string>> = {}
    const onStep = (step: string): void => {
      if (step !== moment) return
      const folder = place.git('rev-parse', '--show-toplevel')
      writes[what]?.(folder, repo)
      written = snapshot(folder)
    }
    // A working folder survives a rename: whoever works in it writes to where it went.
    place.git = (...args) => repo.runIn(findFolder(repo), ...args)

    const end = await untouched(repo, () => removeWorktree(worktree, { git: repo.git, onStep }))

    expect(end).toMatchObject({ type: 'kept', path: worktree.path })
    if (what === 'a commit') expect(repo.run('log', '-1', '--format=%s', worktree.branch ?? '')).toBe('late')
    expect(snapshot(worktree.path)).toEqual(written)
  })
})

/** The worktree, or the hidden place it was moved to. */
function findFolder(repo: Repo): string {
  const text = snapshot(repo.path('.claude/worktrees'))
  const [, name = 'w'] =
    Object.keys(text)
      .map((path) => /^\/(\.removing-[^/]+)\/$/.exec(path))
      .find(Boolean) ?? []
  return repo.path('.claude/worktrees', name)
}

test('a worktree in use by another process is not removed, and not by discarding either', async () => {
  const repo = makeRepo()
  const worktree = await repo.create({ name: 'busy' })
  const lock = repo.path('.git/worktrees/busy/locked')
  // Process 1 lives for ever.
  writeFileSync(
    lock,
    readFileSync(lock, 'utf8').replace(/process \d+ \(started [^)]*\)/, 'process 1 (started unknown)'),
  )
  for (const remove of [removeWorktree, discardWorktree]) {
    const end = await remove(worktree, { git: repo.git })
    expect(end.type === 'kept' && end.reasons.map(({ code }) => code)).toEqual(['locked'])
  }
  expect(await lockWorktree(worktree, { git: repo.git })).toMatchObject({ type: 'refused' })
  await releaseWorktree(worktree, { git: repo.git })
  expect(existsSync(lock)).toBe(true)
})

test('a lock can be given up and taken again, and git shows its reason', async () => {
  const repo = makeRepo()
  const worktree = await repo.create()
  expect(repo.run('worktree', 'list', '--porcelain')).toMatch(
    new RegExp(`locked x: in-use by process ${process.pid} `),
  )
  await releaseWorktree(worktree, { git: repo.git })
  await releaseWorktree(worktree, { git: repo.git })
  expect(repo.run('worktree', 'list', '--porcelain')).not.toContain('locked')
  expect(await lockWorktree(worktree, { git: repo.git })).toEqual({ type: 'locked' })
})

test('discarding removes files, branch and commits, and nothing else', async () => {
  const repo = makeRepo()
  await untouched(repo, async () => {
    const worktree = await repo.create()
    symlinkSync(repo.path('src'), join(worktree.path, 'link'))
    repo.runIn(worktree.path, 'add', '-A')
    repo.runIn(worktree.path, 'commit', '-q', '-m', 'gone')
    write(join(worktree.path, 'x'), 'x')
    expect(await discardWorktree(worktree, { git: repo.git })).toEqual({ type: 'removed', branch: 'removed' })
    expect(existsSync(worktree.path)).toBe(false)
  })
  expect(repo.branches()).toEqual(['main'])
})

test('the main checkout cannot be discarded by calling it a worktree', async () => {
  const repo = makeRepo()
  const fake = {
    name: 'x',
    path: repo.root,
    root: repo.root,
    base: repo.run('rev-parse', 'HEAD'),
    isHookMade: false,
  }
  for (const remove of [removeWorktree, discardWorktree]) {
    expect(await untouched(repo, () => remove(fake, { git: repo.git }))).toMatchObject({ type: 'unknown' })
  }
})

describe('git that fails during the check', () => {
  const questions = ['ls-files', 'status', 'rev-parse', 'rev-list', 'log', 'for-each-ref', 'stash']

  test.each(questions)('keeps the worktree: %s (SU-04)', async (name) => {
    const repo = makeRepo()
    repo.run('update-ref', 'refs/stash', 'HEAD')
    const worktree = await repo.create()
    const end = await removeWorktree(worktree, {
      git: async (args, call) =>
        args[0] === name
          ? { ok: false, problem: 'git-failed', exitCode: 128, message: 'broken' }
          : repo.git(args, call),
    })
    expect(end).toMatchObject({ type: 'unknown', path: worktree.path })
    expect(existsSync(join(worktree.path, 'a.txt'))).toBe(true)
  })
})

test('an abort rejects with its reason at every step, and leaves the worktree in its place and unlocked', async () => {
  const repo = makeRepo()
  for (const at of ['lock', 'examine', 'move-aside', 'examine-again']) {
    const worktree = await repo.create({ name: at })
    const controller = new AbortController()
    const reason = new Error('enough')
    const onStep = (step: string): void => {
      if (step === at) controller.abort(reason)
    }
    const removal = removeWorktree(worktree, { git: repo.git, signal: controller.signal, onStep })
    await expect(removal).rejects.toBe(reason)
    expect(existsSync(join(worktree.path, 'a.txt'))).toBe(true)
    expect(existsSync(repo.path('.git/worktrees', at, 'locked'))).toBe(false)
  }
})

test('an abort once files are deleted does not stop halfway', async () => {
  const repo = makeRepo()
  const worktree = await repo.create()
  const controller = new AbortController()
  const onStep = (step: string): void => {
    if (step === 'delete') controller.abort(new Error('enough'))
  }
  const end = await removeWorktree(worktree, { git: repo.git, signal: controller.signal, onStep })
  expect(end).toEqual({ type: 'removed', branch: 'removed' })
  expect(repo.branches()).toEqual(['main'])
})
