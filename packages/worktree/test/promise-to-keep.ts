import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { releaseWorktree, removeWorktree, sweepWorktrees, type Worktree } from '@x/worktree'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Repo, untouched } from './repo.ts'
import { snapshot } from './snapshot.ts'
import { placeOf, waysToLose } from './ways-to-lose.ts'

/** A repository with everything the ways need: branches to merge, a library, ignore files of all kinds, an included file. */
function makeFullRepo(): Repo {
  const repo = new Repo()
  repo.write('a.txt', 'other\n')
  repo.run('checkout', '-q', '-b', 'side')
  repo.commit('side')
  repo.run('checkout', '-q', '-b', 'calm', 'main')
  repo.write('calm.txt', 'calm\n')
  repo.commit('calm')
  repo.run('checkout', '-q', 'main')
  repo.write('.worktreeinclude', '.env\n')
  repo.commit('second')
  repo.write('.env', 'SECRET=1\n')
  repo.write('out/cache.bin', 'cached')
  repo.run('config', 'extensions.worktreeConfig', 'true')
  mkdirSync(repo.path('.git/info'), { recursive: true })
  appendFileSync(repo.path('.git/info/exclude'), 'local-only.bin\n')
  writeFileSync(repo.outside('.gitconfig'), `[core]\n\texcludesFile = ${repo.outside('ignore')}\n`)
  writeFileSync(repo.outside('ignore'), 'user-only.bin\n')
  const library = repo.outside('library')
  mkdirSync(library)
  repo.runIn(library, 'init', '-q')
  repo.runIn(library, 'commit', '-q', '--allow-empty', '-m', 'library')
  return repo
}

/** Promises that each way of a group keeps its worktree, byte for byte, and that a sweep keeps them all. */
export function promiseToKeep(group: keyof typeof waysToLose): void {
  const ways = waysToLose[group]
  let repo: Repo
  beforeAll(() => {
    repo = makeFullRepo()
  })
  afterAll(() => repo[Symbol.dispose]())

  const prepared = new Map<string, Worktree>()
  /** Prepares each way once, for whichever test comes first. */
  const prepare = async ({ title, act, links }: (typeof ways)[number]): Promise<Worktree> => {
    const known = prepared.get(title)
    if (known !== undefined) return known
    const worktree = await repo.create({ name: `${group}-${prepared.size}`, symlinkDirectories: links })
    prepared.set(title, worktree)
    act(placeOf(repo, worktree))
    return worktree
  }

  test.each(ways)('$title keeps the worktree', async (way) => {
    const worktree = await prepare(way)
    const before = snapshot(worktree.path)

    const end = await untouched(repo, () => removeWorktree(worktree, { git: repo.git }))

    expect(snapshot(worktree.path)).toEqual(before)
    const codes = end.type === 'kept' ? end.reasons.map((reason) => reason.code) : [end.type]
    expect(codes).toContain(way.code)
  })

  test('a sweep leaves all of them', async () => {
    // What somebody still works in is none of the business of a sweep.
    for (const way of ways) await releaseWorktree(await prepare(way))
    const sweep = await untouched(repo, () =>
      sweepWorktrees({ cwd: repo.root, git: repo.git, maxAgeDays: 0 }),
    )
    expect(sweep.removed).toEqual([])
    expect(sweep.kept.length).toBeGreaterThanOrEqual(ways.length / 3)
  })
}
