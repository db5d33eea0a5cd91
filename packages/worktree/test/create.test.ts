import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createGit, createWorktree, inspectWorktree, removeWorktree, sweepWorktrees } from '@x/worktree'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeRepo, type Repo, untouched, write } from './repo.ts'
import { snapshot } from './snapshot.ts'

const yesterday = new Date('2026-01-01T00:00:00Z')

/** A repository with a remote that is one commit ahead of what was fetched. */
function makeClone(): {
  readonly repo: Repo
  readonly remote: Repo
  readonly known: string
  readonly newest: string
} {
  const remote = makeRepo()
  const repo = makeRepo()
  repo.run('remote', 'add', 'origin', remote.root)
  repo.run('fetch', '-q', 'origin')
  repo.run('remote', 'set-head', 'origin', 'main')
  const known = remote.run('rev-parse', 'HEAD')
  remote.write('later.txt', 'later')
  remote.commit('later')
  return { repo, remote, known, newest: remote.run('rev-parse', 'HEAD') }
}

function age(repo: Repo): void {
  utimesSync(repo.path('.git/FETCH_HEAD'), yesterday, yesterday)
}

test('lies below .claude/worktrees on a branch of its own, with the tracked files and nothing of the work at hand', async () => {
  const repo = makeRepo()
  repo.write('a.txt', 'dirty\n')
  repo.write('staged.txt', 'staged\n')
  repo.run('add', 'staged.txt')
  repo.write('untracked.txt', 'x')
  const worktree = await untouched(repo, () => repo.create({ name: 'w' }))
  expect(worktree).toEqual({
    name: 'w',
    path: repo.path('.claude/worktrees/w'),
    root: repo.root,
    branch: 'worktree-w',
    base: repo.run('rev-parse', 'HEAD'),
    isHookMade: false,
  })
  const files = Object.keys(snapshot(worktree.path)).filter((path) => !path.endsWith('/'))
  expect(files.sort()).toEqual(['/.git', '/.gitignore', '/a.txt', '/src/b.txt', '/src/deep/c.txt'])
  expect(readFileSync(join(worktree.path, 'a.txt'), 'utf8')).toBe('a\n')
  expect(repo.runIn(worktree.path, 'branch', '--show-current')).toBe('worktree-w')
})

test('gets a name of its own where none is wanted', async () => {
  const repo = makeRepo()
  expect((await repo.create()).name).toMatch(/^agent-[0-9a-f]{10}$/)
})

test('belongs to the main checkout when it is asked for inside of a worktree', async () => {
  const repo = makeRepo()
  const outer = await repo.create({ name: 'outer' })
  repo.runIn(outer.path, 'commit', '-q', '--allow-empty', '-m', 'ahead')
  const inner = await repo.create({ name: 'inner', cwd: join(outer.path, 'src'), baseRef: 'head' })
  expect(inner.path).toBe(repo.path('.claude/worktrees/inner'))
  expect(inner.base).toBe(repo.runIn(outer.path, 'rev-parse', 'HEAD'))
})

describe('where it starts', () => {
  test('head is what is checked out, a detached HEAD too', async () => {
    const { repo } = makeClone()
    repo.run('checkout', '-q', '--detach')
    const worktree = await untouched(repo, () => repo.create({ baseRef: 'head' }))
    expect(worktree.base).toBe(repo.run('rev-parse', 'HEAD'))
    expect(await removeWorktree(worktree, { git: repo.git })).toMatchObject({ type: 'removed' })
  })

  test('fresh is the default branch of origin, fetched when that is older than a day', async () => {
    const { repo, known, newest } = makeClone()
    expect((await repo.create()).base).toBe(known)
    age(repo)
    expect((await untouched(repo, () => repo.create())).base).toBe(newest)
  })

  test('fetches once, not for every worktree, and keeps what the user fetched', async () => {
    const { repo, remote, newest } = makeClone()
    age(repo)
    const fetched = readFileSync(repo.path('.git/FETCH_HEAD'), 'utf8')
    await repo.create()
    remote.write('last.txt', 'x')
    remote.commit('last')
    expect((await repo.create()).base).toBe(newest)
    expect(readFileSync(repo.path('.git/FETCH_HEAD'), 'utf8')).toBe(fetched)
  })

  test('takes what is known when the remote is out of reach, and says so', async () => {
    const { repo, known } = makeClone()
    age(repo)
    repo.run('remote', 'set-url', 'origin', repo.outside('nowhere'))
    const made = await createWorktree({ cwd: repo.root, git: repo.git })
    expect(made).toMatchObject({ type: 'created', worktree: { base: known } })
    expect(made.type === 'created' && made.notes[0]).toMatch(/^origin\/main could not be fetched/)
  })

  test('gives the fetch five seconds', async () => {
    const { repo } = makeClone()
    age(repo)
    const limits: (number | undefined)[] = []
    await repo.create({
      git: (args, call) => {
        if (args[0] === 'fetch') limits.push(call.timeoutMs)
        return repo.git(args, call)
      },
    })
    expect(limits).toEqual([5000])
  })

  test('is the local HEAD without a remote', async () => {
    const repo = makeRepo()
    expect((await repo.create({ baseRef: 'fresh' })).base).toBe(repo.run('rev-parse', 'HEAD'))
  })
})

describe('32. .worktreeinclude', () => {
  test('names ignored files that are copied; tracked and merely untracked ones are not', async () => {
    const repo = makeRepo({ 'tracked.env': 'tracked\n', '.gitignore': '.env\nsecret/\n*.key\n' })
    repo.write('.worktreeinclude', '# local settings\n.env\nsecret/\n*.env\n!secret/not.key\n')
    repo.commit('include')
    repo.write('tracked.env', 'changed here\n')
    repo.write('.env', 'A=1\n')
    repo.write('secret/one.key', '1')
    repo.write('other.key', '2')
    repo.write('new.env', 'untracked')
    const worktree = await untouched(repo, () => repo.create())
    expect(snapshot(worktree.path)).toMatchObject({
      '/.env': 'A=1\n',
      '/secret/one.key': '1',
      '/tracked.env': 'tracked\n',
    })
    expect(existsSync(join(worktree.path, 'other.key'))).toBe(false)
    expect(existsSync(join(worktree.path, 'new.env'))).toBe(false)
    expect(await inspectWorktree(worktree, { git: repo.git })).toEqual({ type: 'empty' })
  })

  test('copies no link and nothing through a link', async () => {
    const repo = makeRepo({ '.gitignore': '*.key\n', '.worktreeinclude': '*.key\n' })
    const elsewhere = repo.outside('elsewhere')
    mkdirSync(elsewhere)
    repo.run('checkout', '-q', '-b', 'linked')
    symlinkSync(elsewhere, repo.path('folder'))
    repo.commit('a link where main has a folder')
    repo.run('checkout', '-q', 'main')
    repo.write('folder/one.key', '1')
    symlinkSync(repo.path('a.txt'), repo.path('link.key'))
    const base = repo.run('rev-parse', 'linked')
    repo.run('update-ref', 'refs/remotes/origin/main', base)
    repo.write('.git/x-worktree-fetch', 'now')
    const made = await createWorktree({ cwd: repo.root, git: repo.git })
    expect(made).toMatchObject({ type: 'created', worktree: { base } })
    expect(made.type === 'created' && made.notes).toEqual([
      'link.key was not copied: it is no plain file.',
      'folder/one.key was not copied: a link leads out of the worktree.',
    ])
    expect(readdirSync(elsewhere)).toEqual([])
  })
})

test('links the folders it is told to, and says which the main checkout does not have', async () => {
  const repo = makeRepo()
  repo.write('out/big.bin', 'big')
  const made = await createWorktree({ cwd: repo.root, git: repo.git, symlinkDirectories: ['out/', 'absent'] })
  expect(made).toMatchObject({ notes: ['absent was not linked: the main checkout has no such folder.'] })
  const link = made.type === 'created' ? join(made.worktree.path, 'out') : ''
  expect(readlinkSync(link)).toBe(repo.path('out'))
})

test('checks out only the folders it is told to', async () => {
  const repo = makeRepo({ 'one/a.txt': 'a', 'two/b.txt': 'b', 'top.txt': 't' })
  const worktree = await untouched(repo, () => repo.create({ sparsePaths: ['one'] }))
  expect(readdirSync(worktree.path).sort()).toEqual(['.git', 'one', 'top.txt'])
  expect(await removeWorktree(worktree, { git: repo.git })).toMatchObject({ type: 'removed' })
})

test.each(['../up', '/etc', 'a/../../b', '.git', '-x', '', 'a//b', '.'])(
  'refuses the path %j',
  async (path) => {
    const repo = makeRepo()
    for (const paths of [{ sparsePaths: [path] }, { symlinkDirectories: [path] }]) {
      expect(await createWorktree({ cwd: repo.root, git: repo.git, ...paths })).toMatchObject({
        code: 'invalid-path',
      })
    }
  },
)

describe('SU-05 a name that is taken', () => {
  const takings: Readonly<Record<string, (repo: Repo) => unknown>> = {
    'a branch': (repo) => repo.run('branch', 'worktree-w'),
    'a branch in other letters': (repo) => repo.run('branch', 'worktree-W'),
    'a branch below it': (repo) => repo.run('branch', 'worktree-w/deep'),
    'an empty folder': (repo) => mkdirSync(repo.path('.claude/worktrees/w'), { recursive: true }),
    'a folder with something in it': (repo) => repo.write('.claude/worktrees/w/x', 'x'),
    'a file': (repo) => repo.write('.claude/worktrees/w', 'x'),
    'a registered but deleted worktree': (repo) => {
      repo.run('worktree', 'add', '-q', repo.path('.claude/worktrees/w'))
      repo.run('worktree', 'lock', repo.path('.claude/worktrees/w'))
      repo.run('branch', '-m', 'w', 'renamed')
      rmSync(repo.path('.claude/worktrees/w'), { recursive: true })
    },
  }

  test.each(Object.entries(takings))('%s leads to another name', async (_, take) => {
    const repo = makeRepo()
    repo.write('.git/info/exclude', '/.claude/worktrees/\n')
    take(repo)
    const worktree = await untouched(repo, () => repo.create({ name: 'w' }))
    expect(worktree).toMatchObject({ name: 'w-2', branch: 'worktree-w-2' })
  })

  test('five made at once are five', async () => {
    const repo = makeRepo()
    const made = await untouched(repo, () =>
      Promise.all(Array.from({ length: 5 }, () => repo.create({ name: 'w' }))),
    )
    expect(made.map(({ name }) => name).sort()).toEqual(['w', 'w-2', 'w-3', 'w-4', 'w-5'])
    expect(new Set(made.map(({ branch }) => branch)).size).toBe(5)
  })

  test('eight made and removed at once leave nothing', async () => {
    const repo = makeRepo()
    await untouched(repo, () =>
      Promise.all(
        Array.from({ length: 8 }, async () => {
          const worktree = await repo.create({ name: 'w' })
          // Git may be disturbed by another one being made while it looks; then it keeps, and is asked again.
          await expect
            .poll(async () => (await removeWorktree(worktree, { git: repo.git })).type)
            .toBe('removed')
        }),
      ),
    )
    await sweepWorktrees({ cwd: repo.root, git: repo.git, maxAgeDays: 0 })
    expect(repo.branches()).toEqual(['main'])
    expect(existsSync(repo.path('.claude/worktrees'))).toBe(false)
  })

  test('a branch that appears in the last moment leads to another name', async () => {
    const repo = makeRepo()
    const worktree = await repo.create({
      name: 'w',
      onStep: (step) =>
        void (
          step === 'make-branch' &&
          !repo.branches().includes('worktree-w') &&
          repo.run('branch', 'worktree-w')
        ),
    })
    expect(worktree.name).toBe('w-2')
    expect(repo.run('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(2)
    expect(readdirSync(repo.path('.claude/worktrees'))).toEqual(['.gitignore', 'w-2'])
  })
})

describe('SU-06 never the main checkout instead', () => {
  test('no repository', async () => {
    const repo = makeRepo()
    mkdirSync(repo.outside('plain'))
    expect(await createWorktree({ cwd: repo.outside('plain'), git: repo.git })).toMatchObject({
      code: 'not-a-repository',
    })
    expect(readdirSync(repo.outside('plain'))).toEqual([])
  })

  test('no folder', async () => {
    const repo = makeRepo()
    expect(await createWorktree({ cwd: repo.outside('none'), git: repo.git })).toMatchObject({
      code: 'not-a-repository',
    })
  })

  test('no commit', async () => {
    const repo = makeRepo({})
    expect(await createWorktree({ cwd: repo.root, git: repo.git })).toMatchObject({ code: 'no-commit' })
    expect(existsSync(repo.path('.claude'))).toBe(false)
  })

  test('no git', async () => {
    const repo = makeRepo()
    const git = createGit({ env: repo.env, command: 'no-such-git' })
    expect(await untouched(repo, () => createWorktree({ cwd: repo.root, git }))).toMatchObject({
      code: 'git-missing',
    })
  })

  test('a bare repository, and a worktree of one', async () => {
    const repo = makeRepo()
    const bare = repo.outside('bare.git')
    repo.run('clone', '-q', '--bare', repo.root, bare)
    repo.runIn(bare, 'worktree', 'add', '-q', repo.outside('linked'))
    for (const cwd of [bare, repo.outside('linked')]) {
      expect(await createWorktree({ cwd, git: repo.git })).toMatchObject({ code: 'bare-repository' })
    }
  })

  test('a file where the folder should be', async () => {
    const repo = makeRepo({ '.claude': 'a file' })
    expect(await untouched(repo, () => createWorktree({ cwd: repo.root, git: repo.git }))).toMatchObject({
      code: 'folder-unusable',
    })
  })

  test('a folder that may not be written', async () => {
    const repo = makeRepo()
    mkdirSync(repo.path('.claude'))
    chmodSync(repo.path('.claude'), 0o555)
    chmodSync(repo.outside(), 0o755)
    const before = repo.state()
    // Nothing is read-only for root, so the work is done by somebody else, who owns the repository.
    const isRoot = process.getuid?.() === 0
    if (isRoot) execFileSync('chown', ['-R', '65534', repo.path('.git'), repo.root])
    const child = spawnSync(
      process.execPath,
      [
        '--conditions=@x/source',
        fileURLToPath(new URL('crash-child.ts', import.meta.url)),
        'create',
        repo.root,
        'none',
      ],
      { env: repo.env, encoding: 'utf8', ...(isRoot ? { uid: 65_534 } : {}) },
    )
    if (isRoot) execFileSync('chown', ['-R', '0', repo.root])
    chmodSync(repo.path('.claude'), 0o755)
    expect(`${child.stdout}${child.stderr}`).toBe('folder-unusable\n')
    expect(repo.state()).toEqual(before)
  })

  test('a git that fails leaves nothing behind', async () => {
    const repo = makeRepo()
    const made = await untouched(repo, () =>
      createWorktree({
        cwd: repo.root,
        name: 'w',
        git: async (args, call) =>
          args[0] === 'symbolic-ref' && args.includes('-m')
            ? { ok: false, problem: 'git-failed', exitCode: 1, message: 'disk full' }
            : repo.git(args, call),
      }),
    )
    expect(made).toMatchObject({ type: 'failed', code: 'git-failed', message: 'disk full' })
    expect(existsSync(repo.path('.claude/worktrees'))).toBe(false)
    expect(repo.run('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1)
  })
})

describe('33. links are refused', () => {
  test.each(['.claude', '.claude/worktrees', '.claude/worktrees/w'])('%s', async (path) => {
    const repo = makeRepo()
    repo.write('.git/info/exclude', '/.claude\n')
    const elsewhere = repo.outside('elsewhere')
    mkdirSync(elsewhere)
    mkdirSync(join(repo.path(path), '..'), { recursive: true })
    symlinkSync(elsewhere, repo.path(path))
    const made = await untouched(repo, () => createWorktree({ cwd: repo.root, name: 'w', git: repo.git }))
    expect(made).toMatchObject({ type: 'failed', code: 'unsafe-path' })
    expect(made.type === 'failed' && made.message).toContain(repo.path(path))
    expect(readdirSync(elsewhere)).toEqual([])
  })

  test('metadata that leads to the main checkout', async () => {
    const repo = makeRepo()
    const made = await createWorktree({
      cwd: repo.root,
      name: 'w',
      git: async (args, call) => {
        if (args[0] === 'worktree' && args[1] === 'add') {
          writeFileSync(repo.path('.claude/worktrees/w/.git'), `gitdir: ${repo.path('.git')}\n`)
          return { ok: true, stdout: '' }
        }
        return repo.git(args, call)
      },
    })
    expect(made).toMatchObject({ type: 'failed', code: 'leads-to-main' })
    expect(made.type === 'failed' && made.message).toMatch(/^Refusing to use .* as an isolation worktree/)
  })
})

test('no hook of the repository runs', async () => {
  const repo = makeRepo()
  const proof = repo.outside('hook-ran')
  for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change']) {
    write(repo.path('.git/hooks', hook), `#!/bin/sh\necho ${hook} >> ${proof}\n`)
    chmodSync(repo.path('.git/hooks', hook), 0o755)
  }
  const worktree = await repo.create()
  await removeWorktree(worktree, { git: repo.git })
  expect(existsSync(proof)).toBe(false)
})

test("the host's git variables lead nowhere", async () => {
  const repo = makeRepo()
  const other = makeRepo()
  const git = createGit({
    env: {
      ...repo.env,
      GIT_DIR: other.path('.git'),
      GIT_WORK_TREE: other.root,
      GIT_INDEX_FILE: other.path('.git/other-index'),
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.bare',
      GIT_CONFIG_VALUE_0: 'true',
    },
  })
  const worktree = await untouched(other, () => repo.create({ git }))
  expect(worktree.root).toBe(repo.root)
  expect(await removeWorktree(worktree, { git })).toMatchObject({ type: 'removed' })
})

test('works where the repository is a submodule', async () => {
  const library = makeRepo()
  const repo = makeRepo()
  repo.run('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.root, 'library')
  repo.commit('submodule')
  const worktree = await untouched(repo, () => repo.create({ cwd: repo.path('library'), name: 'w' }))
  expect(worktree.path).toBe(repo.path('library/.claude/worktrees/w'))
  expect(await removeWorktree(worktree, { git: repo.git })).toMatchObject({ type: 'removed' })
})

test('a repository with a submodule gets a worktree with the folder empty', async () => {
  const library = makeRepo()
  const repo = makeRepo()
  repo.run('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.root, 'library')
  repo.commit('submodule')
  const worktree = await repo.create()
  expect(readdirSync(join(worktree.path, 'library'))).toEqual([])
  expect(await removeWorktree(worktree, { git: repo.git })).toMatchObject({ type: 'removed' })
})

test('works in a folder with blanks and signs in its name', async () => {
  const repo = makeRepo({ 'ä "b" $c/d.txt': 'd' })
  const worktree = await repo.create({ cwd: repo.path('ä "b" $c') })
  appendFileSync(join(worktree.path, 'ä "b" $c/d.txt'), 'e')
  const found = await inspectWorktree(worktree, { git: repo.git })
  expect(found.type === 'changed' && found.reasons[0]?.examples).toEqual(['ä "b" $c/d.txt'])
})

test('an abort rejects with its reason at every step and leaves nothing', async () => {
  const repo = makeRepo()
  repo.write('.worktreeinclude', '.env\n')
  repo.commit('include')
  repo.write('.env', 'A=1\n')
  const steps: string[] = []
  await removeWorktree(await repo.create({ onStep: (step) => steps.push(step) }), { git: repo.git })
  expect(steps.length).toBeGreaterThan(8)
  const reason = new Error('enough')
  for (const at of steps.filter((step) => step !== 'lock')) {
    const controller = new AbortController()
    const onStep = (step: string): void => {
      if (step === at) controller.abort(reason)
    }
    await expect(repo.create({ signal: controller.signal, onStep })).rejects.toBe(reason)
    expect(repo.branches()).toEqual(['main'])
    expect(existsSync(repo.path('.git/worktrees'))).toBe(false)
  }
  await expect(repo.create({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

test('a name is refused, or is one that git takes for a branch', async () => {
  const repo = makeRepo()
  // No git is needed to refuse a name; a good one comes as far as asking it.
  const accepts = async (name: string): Promise<boolean> => {
    const made = await createWorktree({
      cwd: repo.root,
      name,
      git: async () => ({ ok: false, problem: 'git-missing', message: 'none' }),
    })
    return made.type === 'failed' && made.code === 'git-missing'
  }
  const accepted: string[] = []
  const parts = fc.constantFrom(
    'a',
    'B',
    '1',
    '.',
    '-',
    '_',
    '/',
    '..',
    '.lock',
    '~',
    ' ',
    '\n',
    'ä',
    '@{',
    '\0',
  )
  const names = fc.oneof(
    fc.array(parts, { maxLength: 5 }).map((all) => all.join('')),
    fc.string({ maxLength: 80 }),
  )
  await fc.assert(
    fc.asyncProperty(names, async (name) => {
      if (await accepts(name)) accepted.push(name)
    }),
    { numRuns: 500 },
  )
  expect(accepted.length).toBeGreaterThan(10)
  for (const name of new Set(accepted)) {
    expect(name).toMatch(/^[A-Za-z0-9][\w.-]{0,63}$/)
    expect(repo.run('check-ref-format', '--branch', `worktree-${name}`)).toBe(`worktree-${name}`)
  }
})
