import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type CreateWorktreeOptions, createGit, createWorktree, type Worktree } from '@x/worktree'
import { afterAll, expect, onTestFinished } from 'vitest'

/** What must be the same in the main checkout before and after everything. */
export interface MainState {
  /** Files, and HEAD with its branch. */
  readonly status: string
  readonly branches: string
}

/** A temporary repository and what is around it. */
export class Repo {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), 'x-worktree-test-')))
  readonly root = join(this.#folder, 'repo')
  /** Settings of this machine and its user do not count. */
  readonly env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: this.#folder,
    TMPDIR: tmpdir(),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@localhost',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@localhost',
  }
  /** The runner that the package gets. */
  readonly git = createGit({ env: this.env })

  constructor(files?: Readonly<Record<string, string>>) {
    if (files === undefined && template !== undefined) {
      cpSync(template.root, this.root, { recursive: true })
      return
    }
    this.#fill(files ?? defaultFiles)
  }

  #fill(files: Readonly<Record<string, string>>): void {
    mkdirSync(this.root)
    this.run('init', '-q', '--template=', '-b', 'main')
    for (const [path, text] of Object.entries(files)) this.write(path, text)
    if (Object.keys(files).length > 0) this.commit('first')
  }

  path(...parts: readonly string[]): string {
    return join(this.root, ...parts)
  }

  outside(...parts: readonly string[]): string {
    return join(this.#folder, ...parts)
  }

  write(path: string, text: string): string {
    return write(join(this.root, path), text)
  }

  commit(message: string): void {
    this.run('add', '-A')
    this.run('commit', '-q', '-m', message)
  }

  run(...args: readonly string[]): string {
    return this.runIn(this.root, ...args)
  }

  runIn(cwd: string, ...args: readonly string[]): string {
    return execFileSync('git', args, {
      cwd,
      env: this.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  }

  /** The branches of worktrees come and go; those of the main checkout do not. */
  state(): MainState {
    const branches = this.run('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads')
    return {
      status: this.run('status', '--porcelain=v2', '--branch', '--untracked-files=all'),
      branches: branches
        .split('\n')
        .filter((line) => !line.startsWith('refs/heads/worktree-'))
        .join('\n'),
    }
  }

  branches(): readonly string[] {
    return this.run('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n')
  }

  async create(options: Partial<CreateWorktreeOptions> = {}): Promise<Worktree> {
    const made = await createWorktree({ cwd: this.root, git: this.git, ...options })
    if (made.type === 'failed') throw new Error(`${made.code}: ${made.message}`)
    return made.worktree
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

const defaultFiles = {
  'a.txt': 'a\n',
  'src/b.txt': 'b\n',
  'src/deep/c.txt': 'c\n',
  '.gitignore': 'out/\n*.log\n.env\n',
}

/** Copied for every test that wants nothing special: quicker than to make it anew. */
let template: Repo | undefined

afterAll(() => template?.[Symbol.dispose]())

/** Makes a repository that is gone after the test, and holds its main checkout to what it is now. */
export function makeRepo(files?: Readonly<Record<string, string>>): Repo {
  template ??= new Repo()
  const repo = new Repo(files)
  onTestFinished(() => repo[Symbol.dispose]())
  return repo
}

/** Runs something and checks that the main checkout is as before. */
export async function untouched<Value>(repo: Repo, act: () => Promise<Value>): Promise<Value> {
  const before = repo.state()
  const value = await act()
  expect(repo.state()).toEqual(before)
  return value
}

export function write(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}
