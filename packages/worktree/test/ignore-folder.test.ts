import { existsSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs'
import { discardWorktree, removeWorktree, sweepWorktrees } from '@x/worktree'
import { describe, expect, test } from 'vitest'
import { makeRepo, untouched } from './repo.ts'

describe('the folder of the worktrees', () => {
  const ignoreFile = '.claude/worktrees/.gitignore'

  test('ignores itself, so that no file of the project and no setting of git changes', async () => {
    const repo = makeRepo()
    const worktree = await untouched(repo, () => repo.create())
    expect(readFileSync(repo.path(ignoreFile), 'utf8')).toBe('*\n')
    expect(existsSync(repo.path('.git/info/exclude'))).toBe(false)
    expect(repo.runIn(worktree.path, 'status', '--porcelain', '--ignored')).toBe('')
  })

  test.each([{ '.gitignore': '.claude/\n' }, { '.gitignore': '/.claude/worktrees\n' }])(
    'is left alone by a project that ignores it already: %j',
    async (files) => {
      const repo = makeRepo(files)
      const worktree = await repo.create()
      expect(existsSync(repo.path(ignoreFile))).toBe(false)
      await removeWorktree(worktree, { git: repo.git })
      expect(existsSync(repo.path('.claude/worktrees'))).toBe(true)
    },
  )

  test('goes with the last worktree', async () => {
    const repo = makeRepo()
    const [one, other] = [await repo.create(), await repo.create()]
    await removeWorktree(one, { git: repo.git })
    expect(readFileSync(repo.path(ignoreFile), 'utf8')).toBe('*\n')
    await discardWorktree(other, { git: repo.git })
    expect(existsSync(repo.path('.claude/worktrees'))).toBe(false)
  })

  test('stays where something else is in it, or its ignore file is not ours to the byte', async () => {
    for (const [path, text] of [
      ['.claude/worktrees/notes.txt', 'mine'],
      [ignoreFile, '*\n!notes.txt\n'],
    ] as const) {
      const repo = makeRepo()
      const worktree = await repo.create()
      repo.write(path, text)
      await removeWorktree(worktree, { git: repo.git })
      await sweepWorktrees({ cwd: repo.root, git: repo.git, maxAgeDays: 0 })
      expect(readFileSync(repo.path(path), 'utf8')).toBe(text)
      expect(existsSync(repo.path(ignoreFile))).toBe(true)
    }
  })

  test('never has its ignore file overwritten, nor written through a link', async () => {
    const repo = makeRepo()
    const elsewhere = repo.outside('elsewhere')
    mkdirSync(repo.path('.claude/worktrees'), { recursive: true })
    symlinkSync(elsewhere, repo.path(ignoreFile))
    await removeWorktree(await repo.create(), { git: repo.git })
    expect(existsSync(elsewhere)).toBe(false)
    expect(readlinkSync(repo.path(ignoreFile))).toBe(elsewhere)
  })

  test('hides every worktree also where one is made while the last one goes', async () => {
    const repo = makeRepo()
    const turn = async (): Promise<void> => {
      for (let round = 0; round < 6; round += 1) {
        const worktree = await repo.create()
        expect((await removeWorktree(worktree, { git: repo.git })).type).toBe('removed')
      }
    }
    await Promise.all([turn(), turn(), turn()])
    expect(existsSync(repo.path('.claude/worktrees'))).toBe(false)
    await untouched(repo, () => Promise.all([repo.create(), repo.create()]))
  })
})
