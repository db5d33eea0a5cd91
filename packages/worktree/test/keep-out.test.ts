import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createGit, keepOutOfStatus } from '@x/worktree'
import { describe, expect, test } from 'vitest'
import { makeRepo, type Repo, write } from './repo.ts'

const name = '.claude/settings.local.json'
const untrackedIn = (repo: Repo, cwd = repo.root): string =>
  repo.runIn(cwd, 'status', '--porcelain', '--untracked-files=all')
const excludeOf = (repo: Repo): string => {
  const file = repo.path('.git/info/exclude')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

describe('keepOutOfStatus', () => {
  test('keeps a new file out of the status by a line that no commit carries, once', async () => {
    const repo = makeRepo()
    repo.write('.git/info/exclude', '# mine')
    const file = repo.write(name, '{}')
    await keepOutOfStatus(file, { git: repo.git })
    await keepOutOfStatus(file, { git: repo.git })
    expect(untrackedIn(repo)).toBe('')
    expect(excludeOf(repo)).toBe(`# mine\n/${name}\n`)
    repo.write('sub/.claude/settings.local.json', '{}')
    expect(untrackedIn(repo)).toBe('?? sub/.claude/settings.local.json')
  })

  test('works from a worktree: the line is in what all worktrees share', async () => {
    const repo = makeRepo()
    const { path } = await repo.create()
    await keepOutOfStatus(write(join(path, name), '{}'), { git: repo.git })
    expect(untrackedIn(repo, path)).toBe('')
    expect(excludeOf(repo)).toBe(`/${name}\n`)
  })

  test('takes a name literally', async () => {
    const repo = makeRepo()
    await keepOutOfStatus(repo.write('a [x]*/s?.json', '{}'), { git: repo.git })
    repo.write('a x/sa.json', '{}')
    expect(untrackedIn(repo)).toBe('?? "a x/sa.json"')
  })

  test.each<[string, (repo: Repo) => void]>([
    ['is ignored by the project', (repo) => repo.write('.gitignore', '*.local.json\n')],
    [
      'is tracked',
      (repo) => {
        repo.write(name, '{}')
        repo.commit('mine')
      },
    ],
    [
      'is tracked and ignored',
      (repo) => {
        repo.write('.gitignore', '*.local.json\n')
        repo.run('add', '-f', repo.write(name, '{}'))
      },
    ],
  ])('leaves alone a file that %s', async (_title, arrange) => {
    const repo = makeRepo()
    arrange(repo)
    await keepOutOfStatus(repo.write(name, '{"a":1}'), { git: repo.git })
    expect(excludeOf(repo)).toBe('')
  })

  test('does nothing outside of a repository, behind a link, without git, and where it cannot write', async () => {
    const repo = makeRepo()
    const elsewhere = write(repo.outside('elsewhere/settings.local.json'), '{}')
    await keepOutOfStatus(elsewhere, { git: repo.git })
    symlinkSync(repo.outside('elsewhere'), repo.path('.claude'))
    await keepOutOfStatus(repo.path(name), { git: repo.git })
    const file = repo.write('other/a.json', '{}')
    await keepOutOfStatus(file, { git: createGit({ command: 'no-such-git' }) })
    await keepOutOfStatus(repo.path('nowhere/a.json'), { git: repo.git })
    expect(excludeOf(repo)).toBe('')
    mkdirSync(repo.path('.git/info/exclude'), { recursive: true })
    expect(await keepOutOfStatus(file, { git: repo.git })).toBeUndefined()
  })

  test('ends with the reason of its signal', async () => {
    const reason = new Error('enough')
    await expect(keepOutOfStatus('/x', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})
