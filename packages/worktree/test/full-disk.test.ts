import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { createWorktree, type Git, listWorktrees, removeWorktree } from '@x/worktree'
import { expect, test } from 'vitest'
import { makeRepo, type Repo, untouched } from './repo.ts'

/** Nothing can be made in the folder while this lives, as on a disk that is full. */
function closed(repo: Repo, folder: string): Disposable {
  const isRoot = process.getuid?.() === 0
  chmodSync(dirname(repo.root), 0o755)
  chmodSync(folder, 0o555)
  // No mode keeps root out.
  if (isRoot) process.seteuid?.(65_534)
  return {
    [Symbol.dispose]() {
      if (isRoot) process.seteuid?.(0)
      if (existsSync(folder)) chmodSync(folder, 0o755)
    },
  }
}

/** Closes a folder at a step; the next question to git finds it open again. */
function closingAt(wanted: string, { repo, folder }: { readonly repo: Repo; readonly folder: string }) {
  let open: Disposable | undefined
  const reopen = (): void => {
    open?.[Symbol.dispose]()
    open = undefined
  }
  const git: Git = async (args, call) => {
    reopen()
    return repo.git(args, call)
  }
  const onStep = (step: string): void => {
    if (step === wanted) open = closed(repo, folder)
  }
  return { git, onStep, [Symbol.dispose]: reopen }
}

async function expectNothing(repo: Repo): Promise<void> {
  expect(await listWorktrees({ cwd: repo.root, git: repo.git })).toEqual([])
  expect(repo.branches()).toEqual(['main'])
  expect(existsSync(repo.path('.claude/worktrees'))).toBe(false)
}

test.each(['write-record', 'mark', 'lock'])(
  'a creation that cannot write at "%s" fails, and what it had made is gone',
  async (step) => {
    const repo = makeRepo()
    await untouched(repo, async () => {
      using closing = closingAt(step, { repo, folder: repo.path('.git/worktrees/w') })
      const made = await createWorktree({ cwd: repo.root, name: 'w', ...closing })
      expect(made).toMatchObject({ type: 'failed', code: 'folder-unusable' })
      await expectNothing(repo)
    })
  },
)

test('a removal that cannot take its lock keeps the worktree and says why', async () => {
  const repo = makeRepo()
  const worktree = await repo.create({ name: 'w' })
  const before = readdirSync(repo.path('.git/worktrees/w'))
  using closing = closingAt('lock', { repo, folder: repo.path('.git/worktrees/w') })
  const removal = await removeWorktree(worktree, closing)
  closing[Symbol.dispose]()
  expect(removal).toMatchObject({
    type: 'kept',
    reasons: [{ code: 'locked', message: 'Its lock cannot be written (EACCES).' }],
  })
  expect(readdirSync(repo.path('.git/worktrees/w'))).toEqual(before)
  expect(await removeWorktree(worktree, { git: repo.git })).toMatchObject({ type: 'removed' })
})

test.each(['worktree', 'update-ref'])(
  'a disk that is full is told at the first try of git %s',
  async (command) => {
    const repo = makeRepo()
    let tries = 0
    const full = "fatal: could not write to '.git/worktrees/w/commondir': No space left on device"
    const git: Git = async (args, call) => {
      if (args[0] !== command) return repo.git(args, call)
      tries += args.includes('-d') ? 0 : 1
      return args.includes('-d') ? repo.git(args, call) : { ok: false, problem: 'git-failed', message: full }
    }
    mkdirSync(repo.path('.claude'), { recursive: true })
    const made = await createWorktree({ cwd: repo.root, name: 'w', git })
    expect([made, tries]).toMatchObject([{ type: 'failed', message: full }, 1])
  },
)
