import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createWorktree, discardWorktree, type HookCreation, removeWorktree } from '@x/worktree'
import { describe, expect, test } from 'vitest'
import { makeRepo, type Repo, untouched, write } from './repo.ts'

function answer(path: string): () => Promise<HookCreation> {
  return async () => ({ type: 'created', path })
}

describe('E25 WorktreeCreate', () => {
  test('34. and 84. the path of the hook is the worktree; git makes nothing', async () => {
    const repo = makeRepo()
    const path = repo.outside('wt')
    const names: string[] = []
    const create = async (name: string): Promise<HookCreation> => {
      names.push(name)
      mkdirSync(path)
      return { type: 'created', path }
    }
    const made = await untouched(repo, () =>
      createWorktree({ cwd: repo.root, name: 'w', git: repo.git, hooks: { create } }),
    )
    expect(made).toEqual({
      type: 'created',
      worktree: { name: 'w', path, root: repo.root, isHookMade: true },
      notes: [],
    })
    expect(names).toEqual(['w'])
    expect(repo.branches()).toEqual(['main'])
  })

  test('84. a failure, a throw or no path fails the creation', async () => {
    const repo = makeRepo()
    const creates: readonly (() => Promise<HookCreation>)[] = [
      async () => ({ type: 'failed', message: 'exit 1' }),
      () => Promise.reject(new Error('crashed')),
    ]
    for (const create of creates) {
      const made = await createWorktree({ cwd: repo.root, git: repo.git, hooks: { create } })
      expect(made).toMatchObject({ type: 'failed', code: 'hook-failed' })
    }
  })

  const refusals: readonly (readonly [string, (repo: Repo) => string])[] = [
    ['a relative path', () => 'wt'],
    ['an empty path', () => ''],
    ['a path with ..', (repo) => `${repo.root}/x/../wt`],
    ['a path with .', (repo) => `${repo.root}/./wt`],
    ['nothing', (repo) => repo.outside('nothing')],
    ['a file', (repo) => repo.write('file', 'x')],
    [
      'a path through a link below the root',
      (repo) => {
        mkdirSync(repo.outside('real/wt'), { recursive: true })
        symlinkSync(repo.outside('real'), repo.path('link'))
        return repo.path('link/wt')
      },
    ],
  ]

  test.each(refusals)('%s is refused', async (_, prepare) => {
    const repo = makeRepo()
    const create = answer(prepare(repo))
    const made = await createWorktree({ cwd: repo.root, git: repo.git, hooks: { create } })
    expect(made).toMatchObject({ type: 'failed', code: 'unsafe-path' })
  })

  test.each(['', 'src', '..'])('the main checkout is refused: %j', async (path) => {
    const repo = makeRepo()
    const create = answer(join(repo.root, path))
    const made = await createWorktree({ cwd: repo.root, git: repo.git, hooks: { create } })
    expect(made).toMatchObject({ type: 'failed', code: 'leads-to-main' })
  })

  test('works without git', async () => {
    const repo = makeRepo()
    mkdirSync(repo.outside('plain/wt'), { recursive: true })
    const made = await createWorktree({
      cwd: repo.outside('plain'),
      git: repo.git,
      hooks: { create: answer(repo.outside('plain/wt')) },
    })
    expect(made).toMatchObject({ type: 'created', worktree: { root: repo.outside('plain') } })
  })
})

describe('E26 WorktreeRemove', () => {
  async function makeByHook(
    repo: Repo,
  ): Promise<Extract<Awaited<ReturnType<typeof createWorktree>>, { type: 'created' }>['worktree']> {
    const path = repo.outside('wt')
    repo.run('worktree', 'add', '-q', '-b', 'hooked', path)
    return repo.create({ hooks: { create: answer(path) } })
  }
  const remove = async (path: string): Promise<void> => rmSync(path, { recursive: true })

  test('cleans up a folder that is empty', async () => {
    const repo = makeRepo()
    const worktree = await makeByHook(repo)
    expect(worktree).toMatchObject({ branch: 'hooked', base: repo.run('rev-parse', 'HEAD') })
    const end = await removeWorktree(worktree, { git: repo.git, hooks: { remove } })
    expect(end).toEqual({ type: 'removed', branch: 'none' })
  })

  test('is not asked while something is in it', async () => {
    const repo = makeRepo()
    const worktree = await makeByHook(repo)
    write(join(worktree.path, 'x'), 'x')
    const end = await removeWorktree(worktree, { git: repo.git, hooks: { remove } })
    expect(end).toMatchObject({ type: 'kept', reasons: [{ code: 'untracked' }] })
  })

  test('without it the folder stays', async () => {
    const repo = makeRepo()
    const worktree = await makeByHook(repo)
    expect(await removeWorktree(worktree, { git: repo.git })).toMatchObject({
      type: 'kept',
      reasons: [{ code: 'hook-made' }],
    })
  })

  test('its failure counts only while the folder is there', async () => {
    const repo = makeRepo()
    const worktree = await makeByHook(repo)
    const fail = () => Promise.reject(new Error('exit 1'))
    expect(await removeWorktree(worktree, { git: repo.git, hooks: { remove: fail } })).toMatchObject({
      type: 'kept',
      reasons: [{ code: 'hook-failed', message: 'the hook failed: exit 1' }],
    })
    const failLate = async (path: string): Promise<void> => {
      rmSync(path, { recursive: true })
      throw new Error('exit 1')
    }
    expect(await removeWorktree(worktree, { git: repo.git, hooks: { remove: failLate } })).toMatchObject({
      type: 'removed',
    })
  })

  test('a folder that git cannot tell about stays, unless it is discarded', async () => {
    const repo = makeRepo()
    mkdirSync(repo.outside('plain'))
    writeFileSync(repo.outside('plain/x'), 'x')
    const worktree = await repo.create({ hooks: { create: answer(repo.outside('plain')) } })
    expect(await removeWorktree(worktree, { git: repo.git, hooks: { remove } })).toMatchObject({
      type: 'unknown',
    })
    expect(readdirSync(worktree.path)).toEqual(['x'])
    expect(await discardWorktree(worktree, { git: repo.git, hooks: { remove } })).toMatchObject({
      type: 'removed',
    })
  })
})
