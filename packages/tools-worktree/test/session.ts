import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { callTool, createToolUseContext, type ToolUseContext } from '@x/contract'
import {
  createEnterWorktreeTool,
  createExitWorktreeTool,
  type EnterWorktreeToolOptions,
} from '@x/tools-worktree'
import { createGit } from '@x/worktree'
import { onTestFinished } from 'vitest'

/** A session in a temporary repository whose context moves as the tools say. */
export class Session {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), 'x-tools-worktree-')))
  readonly root = join(this.#folder, 'repo')
  readonly #env = {
    PATH: process.env['PATH'] ?? '',
    HOME: this.#folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@localhost',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@localhost',
  }
  readonly git = createGit({ env: this.#env })
  readonly enter
  readonly exit
  context: ToolUseContext

  constructor(options: EnterWorktreeToolOptions = {}) {
    mkdirSync(this.root)
    this.run(this.root, 'init', '-q', '-b', 'main')
    this.write(join(this.root, 'a.txt'), 'a\n')
    this.run(this.root, 'add', '-A')
    this.run(this.root, 'commit', '-q', '-m', 'first')
    this.enter = createEnterWorktreeTool({ git: this.git, ...options })
    this.exit = createExitWorktreeTool({ git: this.git, ...(options.hooks ? { hooks: options.hooks } : {}) })
    this.context = createToolUseContext({ cwd: this.root })
    onTestFinished(() => rmSync(this.#folder, { recursive: true, force: true }))
  }

  outside(name: string): string {
    return join(this.#folder, name)
  }

  run(cwd: string, ...args: readonly string[]): string {
    return execFileSync('git', args, { cwd, env: this.#env, encoding: 'utf8' }).trim()
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }

  /** What must be the same in the main checkout before and after. */
  state(): string {
    return [
      this.run(this.root, 'status', '--porcelain=v2', '--branch', '--untracked-files=all'),
      this.run(this.root, 'rev-parse', 'main'),
    ].join('\n')
  }

  async goIn(input: { readonly name?: string; readonly path?: string } = {}): Promise<string> {
    const { context, data } = await callTool(this.enter, input, this.context)
    this.context = context
    return data.worktreePath
  }

  async goOut(action: 'keep' | 'remove', discards?: boolean) {
    const input = discards === undefined ? { action } : { action, discard_changes: discards }
    const { context, data } = await callTool(this.exit, input, this.context)
    this.context = context
    return data
  }
}
