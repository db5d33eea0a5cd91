import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createWorktree, type Git, listWorktrees, removeWorktree, sweepWorktrees } from '@x/worktree'
import { describe, expect, test } from 'vitest'
import { makeRepo, type Repo, untouched, write } from './repo.ts'
import { snapshot } from './snapshot.ts'

class Stopped extends Error {}

const creationSteps = [
  'prepare',
  'take-place',
  'add-worktree',
  'make-branch',
  'take-branch',
  'write-record',
  'copy .env',
  'link out',
  'mark',
  'lock',
]
const removalSteps = [
  'examine',
  'move-aside',
  'examine-again',
  'delete',
  'check-git',
  'delete-branch',
  'unregister',
]

function makeStockedRepo(): Repo {
  const repo = makeRepo()
  repo.write('.worktreeinclude', '.env\n')
  repo.commit('include')
  repo.write('.env', 'A=1\n')
  repo.write('out/big.bin', 'big')
  return repo
}

/** The lock of a process that stopped here is the lock of one that is gone: an id above every limit has never lived. */
function bury(repo: Repo): void {
  const folder = repo.path('.git/worktrees')
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const lock = join(folder, name, 'locked')
    if (existsSync(lock)) {
      writeFileSync(
        lock,
        readFileSync(lock, 'utf8').replace(`by process ${process.pid} `, 'by process 99999999 '),
      )
    }
  }
}

function stopAt(wanted: string): (step: string) => void {
  return (step) => {
    if (step === wanted) throw new Stopped()
  }
}

/** Stops before or after the call with this number. */
function stoppingGit(repo: Repo, number: number, when: 'before' | 'after'): Git {
  let calls = 0
  return async (args, call) => {
    calls += 1
    if (calls === number && when === 'before') throw new Stopped()
    const outcome = await repo.git(args, call)
    if (calls >= number) throw new Stopped()
    return outcome
  }
}

async function sweepToTheEnd(repo: Repo): Promise<void> {
  // The first one finishes what was begun, whatever its age; an empty folder is told from work only by its age.
  await sweepWorktrees({ cwd: repo.root, git: repo.git })
  await sweepWorktrees({ cwd: repo.root, git: repo.git, maxAgeDays: 0 })
}

function expectNothingLeft(repo: Repo): void {
  expect(repo.branches()).toEqual(['main'])
  expect(repo.run('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1)
  const worktrees = repo.path('.claude/worktrees')
  expect(existsSync(worktrees) ? readdirSync(worktrees) : []).toEqual([])
  expect(readFileSync(repo.path('out/big.bin'), 'utf8')).toBe('big')
}

test.each(creationSteps)('a creation stopped before "%s" is swept', async (step) => {
  const repo = makeStockedRepo()
  await untouched(repo, async () => {
    const creation = createWorktree({
      cwd: repo.root,
      name: 'w',
      git: repo.git,
      onStep: stopAt(step),
      symlinkDirectories: ['out'],
    })
    await expect(creation).rejects.toBeInstanceOf(Stopped)
    bury(repo)
    const listed = await listWorktrees({ cwd: repo.root, git: repo.git })
    const state = { prepare: [], 'take-place': [], 'add-worktree': ['unregistered'] }[step] ?? ['half-made']
    expect(listed.map((entry) => entry.state)).toEqual(state)
    await sweepToTheEnd(repo)
    expectNothingLeft(repo)
  })
})

test.each(removalSteps)('a removal stopped before "%s" is finished by a sweep', async (step) => {
  const repo = makeStockedRepo()
  await untouched(repo, async () => {
    const worktree = await repo.create({ name: 'w', symlinkDirectories: ['out'] })
    const removal = removeWorktree(worktree, { git: repo.git, onStep: stopAt(step) })
    await expect(removal).rejects.toBeInstanceOf(Stopped)
    bury(repo)
    const listed = await listWorktrees({ cwd: repo.root, git: repo.git })
    expect(listed.map((entry) => entry.state)).toEqual(['half-removed'])
    await sweepToTheEnd(repo)
    expectNothingLeft(repo)
  })
})

test('a stop before or after any one git command leaves nothing that a sweep cannot tidy', async () => {
  for (const when of ['before', 'after'] as const) {
    for (let number = 1; ; number += 1) {
      const repo = makeStockedRepo()
      const git = stoppingGit(repo, number, when)
      const ended = await createWorktree({ cwd: repo.root, name: 'w', git }).catch((error: unknown) => error)
      bury(repo)
      await sweepToTheEnd(repo)
      expectNothingLeft(repo)
      if (!(ended instanceof Stopped)) break
    }
  }
})

describe('a removal stopped halfway through its deletion', () => {
  async function stopHalfway(): Promise<{ repo: Repo; aside: string; path: string }> {
    const repo = makeStockedRepo()
    const worktree = await repo.create({ name: 'w' })
    const removal = removeWorktree(worktree, { git: repo.git, onStep: stopAt('delete') })
    await expect(removal).rejects.toBeInstanceOf(Stopped)
    bury(repo)
    const [name = ''] = readdirSync(repo.path('.claude/worktrees')).filter((entry) => entry !== '.gitignore')
    const aside = repo.path('.claude/worktrees', name)
    unlinkSync(join(aside, 'a.txt'))
    rmSync(join(aside, 'src'), { recursive: true })
    return { repo, aside, path: worktree.path }
  }

  test('is finished', async () => {
    const { repo } = await stopHalfway()
    await sweepToTheEnd(repo)
    expectNothingLeft(repo)
  })

  test('is taken back when something is in it, and what was deleted comes back', async () => {
    const { repo, aside, path } = await stopHalfway()
    write(join(aside, 'late.txt'), 'late')
    await sweepWorktrees({ cwd: repo.root, git: repo.git, maxAgeDays: 0 })
    expect(snapshot(path)).toMatchObject({ '/late.txt': 'late', '/a.txt': 'a\n', '/src/b.txt': 'b\n' })
    expect(repo.runIn(path, 'status', '--porcelain')).toBe('?? late.txt')
  })
})

test("git's own folder for a worktree that was never finished is swept, with the empty folder", async () => {
  const repo = makeStockedRepo()
  const base = repo.run('rev-parse', 'HEAD')
  mkdirSync(repo.path('.git/worktrees/w'), { recursive: true })
  mkdirSync(repo.path('.claude/worktrees/w'), { recursive: true })
  const reason = `x: creating by process 99999999 (started 1) on ${(await import('node:os')).hostname()}; base ${base}; ab`
  writeFileSync(repo.path('.git/worktrees/w/locked'), reason)
  await sweepToTheEnd(repo)
  expectNothingLeft(repo)
})

describe('killed with KILL', () => {
  function runChild(repo: Repo, act: string, step: string): string | null {
    const script = fileURLToPath(new URL('crash-child.ts', import.meta.url))
    const child = spawnSync(process.execPath, ['--conditions=@x/source', script, act, repo.root, step], {
      env: repo.env,
      encoding: 'utf8',
    })
    return child.signal ?? child.stderr
  }

  test.each(['take-place', 'add-worktree', 'make-branch', 'copy .env', 'lock'])(
    'while it makes a worktree, before "%s"',
    async (step) => {
      const repo = makeStockedRepo()
      await untouched(repo, async () => {
        expect(runChild(repo, 'create', step)).toBe('SIGKILL')
        await sweepToTheEnd(repo)
        expectNothingLeft(repo)
      })
    },
  )

  test.each(['move-aside', 'delete', 'delete-branch', 'unregister'])(
    'while it removes a worktree, before "%s"',
    async (step) => {
      const repo = makeStockedRepo()
      await untouched(repo, async () => {
        expect(runChild(repo, 'create', 'none')).toBe('')
        const [listed] = await listWorktrees({ cwd: repo.root, git: repo.git })
        expect(listed?.state).toBe('abandoned')
        expect(runChild(repo, 'remove', step)).toBe('SIGKILL')
        await sweepToTheEnd(repo)
        expectNothingLeft(repo)
      })
    },
  )
})
