import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createWorktreeGuard, type Worktree, type WorktreeGuard } from '@x/worktree'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { Repo } from './repo.ts'

// No git is asked: two folders and what leads from one to the other are all the guard looks at.
let worktree: Worktree
let guard: WorktreeGuard
let root: string
let path: string

beforeAll(() => {
  const repo = new Repo()
  root = repo.root
  path = repo.path('.claude/worktrees/w')
  mkdirSync(join(path, 'sub/deep'), { recursive: true })
  mkdirSync(join(root, '.claude/worktrees/other'))
  mkdirSync(join(root, 'node_modules'))
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'))
  symlinkSync(join(root, 'not-yet'), join(path, 'dangling'))
  writeFileSync(join(path, 'a.txt'), 'a')
  worktree = { name: 'w', path, root, branch: 'worktree-w', base: 'a'.repeat(40), isHookMade: false }
  guard = createWorktreeGuard(worktree)
  return () => repo[Symbol.dispose]()
})

const bash = (command: string, cwd = path): Promise<string | undefined> =>
  guard.check('Bash', { command }, cwd)

describe('31. an agent in a worktree edits the main checkout', () => {
  const fields = {
    Edit: 'file_path',
    Write: 'file_path',
    MultiEdit: 'file_path',
    NotebookEdit: 'notebook_path',
  }

  test.each(Object.entries(fields))(
    '%s is an error that names the worktree and how to go on',
    async (tool, field) => {
      const error = await guard.check(tool, { [field]: join(root, 'a.txt') }, path)
      expect(error).toContain(path)
      expect(error).toContain(join(root, 'a.txt'))
      expect(error).toMatch(/Use paths below/)
    },
  )

  test.each([
    '../../../a.txt',
    '../other/a.txt',
    'node_modules/x/index.js',
    'dangling',
    'new/../../x',
    '../../settings.json',
  ])('by the path %s', async (file) => {
    expect(await guard.check('Write', { file_path: file }, path)).toBeDefined()
  })

  test.each(['a.txt', 'new/deep/b.txt', './sub/../a.txt', '/tmp/scratch.txt', '~/notes.txt'])(
    'not by the path %s (SU-07)',
    async (file) => {
      expect(await guard.check('Write', { file_path: file }, path)).toBeUndefined()
    },
  )

  test('reading is free', async () => {
    expect(await guard.check('Read', { file_path: join(root, 'a.txt') }, path)).toBeUndefined()
    expect(await guard.check('Grep', { pattern: 'x', path: root }, path)).toBeUndefined()
  })

  test('input of another shape is for others to judge', async () => {
    for (const input of [undefined, null, 1, [], {}, { file_path: 1 }]) {
      expect(await guard.check('Edit', input, path)).toBeUndefined()
    }
  })
})

describe('a shell', () => {
  test.each(['Bash', 'Monitor', 'PowerShell'])('%s does not run in the main checkout', async (tool) => {
    for (const cwd of [
      root,
      join(root, 'src'),
      join(root, '.claude/worktrees'),
      join(path, 'node_modules'),
    ]) {
      expect(await guard.check(tool, { command: 'ls' }, cwd)).toContain('the shell would run in')
    }
    expect(await guard.check(tool, { command: 'ls' }, join(path, 'sub'))).toBeUndefined()
  })

  test('PowerShell is judged by its folder only', async () => {
    expect(await guard.check('PowerShell', { command: `cd ${root}` }, path)).toBeUndefined()
  })

  test.each([
    'cd ..',
    'cd ../../..',
    'cd sub && cd ../..',
    'cd sub; cd ..',
    'false && cd sub || true; cd ..',
    'cd missing && ls; cd ..',
    'cd /tmp; cd -',
    'cd $PLACE',
    'cd "$(git rev-parse --show-toplevel)"',
    'cd ROOT && git commit -m x',
    '(cd ROOT; git status)',
    'if true; then cd ROOT; fi',
    'pushd ROOT',
    'popd',
    'cd ../other',
    'cd node_modules',
    'env -C ROOT git status',
    'env --chdir=ROOT git status',
    'sh -c "cd ROOT && git stash"',
    'git -C ROOT status',
    'git -C ../../.. status',
    'git -C sub -C ../../../.. status',
    'git -C "$PLACE" status',
    'git $OPTIONS status',
    'git --git-dir ROOT/.git log',
    'git --git-dir=ROOT/.git log',
    'git --git-dir=$D log',
    'git -c a.b=c --work-tree ROOT checkout .',
    'GIT_DIR=ROOT/.git git log',
    'GIT_WORK_TREE=ROOT git checkout .',
    'GIT_DIR=$D git log',
    'export GIT_DIR=ROOT/.git; git log',
    'GIT_DIR=ROOT/.git; git log',
    'env GIT_DIR=ROOT/.git git log',
    'timeout 5 git -C ROOT gc',
    'echo x | xargs git -C ROOT add',
    'CDPATH=ROOT cd src',
    'echo x > ROOT/a.txt',
    'echo x > ../../../a.txt',
    'rm -rf ROOT/src',
    'cp a.txt ROOT/b.txt',
    'tee ../../../x < a.txt',
    'touch {a,b}.txt',
    'cp a.txt{,.bak}',
    'cat <<EOF\n$(date)\nEOF',
    'cat <<-EOF\nx\nEOF',
    '$command',
    'eval "$x"',
    'echo "unclosed',
  ])('does not get to run %j', async (command) => {
    expect(await bash(command.replaceAll('ROOT', root))).toContain(path)
  })

  test.each([
    'touch shell.txt',
    'git add -A && git commit -m "x"',
    'git -C sub status',
    'git -C . status',
    'cd sub && git status',
    'cd sub && cd .. && ls',
    'cd sub/deep && ls && cd ../.. && ls',
    'cd WT/sub',
    'git -C WT log',
    'cd',
    'cd /tmp && ls',
    'cd ~ && ls',
    'npm test -- --watch=false',
    "cat <<'EOF' > notes.txt\n$(not run) {a,b}\nEOF",
    'echo \'{a,b}\' "{c,d}" {} a{b',
    'cat ROOT/README.md > copy.md',
    'grep -rn x ROOT',
    'diff a.txt ROOT/a.txt',
    'for f in *.txt; do echo "$f"; done',
    'echo x > /tmp/out.txt',
    'A=1 B="$C" node build.js',
    'git log --format="%H %s" -- "src/*.ts"',
  ])('gets to run %j (SU-07)', async (command) => {
    expect(await bash(command.replaceAll('ROOT', root).replaceAll('WT', path))).toBeUndefined()
  })

  test('outside of the repository may still not reach into it', async () => {
    expect(await bash(`cd ${root}`, '/tmp')).toBeDefined()
    expect(await bash('ls', '/tmp')).toBeUndefined()
  })
})

test('any path is judged as the file system reads it, however it is written', async () => {
  const parts = fc.constantFrom('..', '.', 'sub', 'deep', '.claude', 'worktrees', 'w', 'other', 'x', '')
  const paths = fc.tuple(fc.boolean(), fc.array(parts, { maxLength: 9 }))
  await fc.assert(
    fc.asyncProperty(paths, async ([fromRoot, all]) => {
      const written = fromRoot ? `${root}/${all.join('/')}` : all.join('/') || '.'
      const meant = resolve(path, written)
      const isForbidden = `${meant}/`.startsWith(`${root}/`) && !`${meant}/`.startsWith(`${path}/`)
      const verdicts = await Promise.all([
        guard.check('Write', { file_path: written }, path),
        bash(`git -C '${written}' status`),
        bash(`cd '${written}'`),
        bash(`echo x > '${written}'`),
      ])
      expect(verdicts.map((verdict) => verdict !== undefined)).toEqual(verdicts.map(() => isForbidden))
    }),
    { numRuns: 300 },
  )
})

test('any text as a command is judged without an error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 60, unit: 'binary' }), async (command) => {
      const verdict = await bash(command)
      expect(verdict === undefined || verdict.includes(path)).toBe(true)
    }),
  )
})

test('the checkout that the work comes from is closed too, from any folder of it, but not what lies beside', async () => {
  using other = new Repo()
  mkdirSync(other.path('sub'))
  const strict = createWorktreeGuard(worktree, { from: other.path('sub') })
  const write = (file: string) => strict.check('Write', { file_path: file }, path)
  expect(await write(other.path('a.txt'))).toContain(other.path('a.txt'))
  expect(await strict.check('Bash', { command: `cd ${other.root} && touch a` }, path)).toContain(other.root)
  expect(await write(join(root, 'a.txt'))).toContain(root)
  expect(await write(`${other.root}-beside/a.txt`)).toBeUndefined()
  expect(await guard.check('Write', { file_path: other.path('a.txt') }, path)).toBeUndefined()
  const again = createWorktreeGuard(worktree, { from: join(path, 'sub') })
  expect(await again.check('Write', { file_path: join(path, 'a.txt') }, path)).toBeUndefined()
})
