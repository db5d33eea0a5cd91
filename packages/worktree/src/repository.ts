import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Git, GitOutcome } from './git.ts'
import { withoutNewline } from './git-output.ts'
import type { CreationFailure } from './types.ts'

/** The repository that worktrees belong to. */
export interface Repository {
  /** Top folder of the main checkout, also when asked from one of its worktrees. Absolute real path. */
  readonly root: string
  /** The folder with what all worktrees share (`.git` as a rule). Absolute real path. */
  readonly commonDir: string
}

/** Finds the repository of a folder, or says why there is none to make a worktree of. */
export async function findRepository(
  cwd: string,
  { git, signal }: { readonly git: Git; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly type: 'found'; readonly repository: Repository } | CreationFailure> {
  const asked = await askPlaces(cwd, git, signal)
  if (!asked.ok) return describeFailure(cwd, asked)
  const [bare, gitDir = '', common = '', top] = asked.stdout.split('\n')
  const commonDir = await realpath(resolve(cwd, common))
  const isMain = (await realpath(resolve(cwd, gitDir))) === commonDir
  if (isMain && bare === 'true') return isBare(cwd)
  const root = isMain
    ? top || undefined
    : basename(commonDir) === '.git'
      ? dirname(commonDir)
      : await configuredTop(commonDir, git, signal)
  if (root === undefined) return isBare(cwd)
  return { type: 'found', repository: { root: await realpath(root), commonDir } }
}

/** Inside of a `.git` folder, and in a bare repository, there is no top. */
async function askPlaces(cwd: string, git: Git, signal: AbortSignal | undefined): Promise<GitOutcome> {
  const places = ['rev-parse', '--is-bare-repository', '--git-dir', '--git-common-dir']
  const all = await git([...places, '--show-toplevel'], { cwd, signal })
  return all.ok || all.problem !== 'git-failed' ? all : git(places, { cwd, signal })
}

/** A submodule keeps its git folder elsewhere and names its checkout in its settings. */
async function configuredTop(
  commonDir: string,
  git: Git,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const file = join(commonDir, 'config')
  const found = await git(['config', '--file', file, '--get', 'core.worktree'], { cwd: commonDir, signal })
  return found.ok ? resolve(commonDir, withoutNewline(found.stdout)) : undefined
}

function isBare(cwd: string): CreationFailure {
  return {
    type: 'failed',
    code: 'bare-repository',
    message: `The repository of ${cwd} is bare: it has no main checkout to put a worktree beside. Work in a clone of it.`,
  }
}

/** Says why git could not be asked about a folder. */
export function describeFailure(
  cwd: string,
  failure: { readonly problem: string; readonly message: string },
): CreationFailure {
  const { problem, message } = failure
  if (problem === 'git-missing') {
    return { type: 'failed', code: 'git-missing', message: `${message}. A worktree needs it.` }
  }
  if (problem === 'timed-out') return { type: 'failed', code: 'timed-out', message }
  if (problem === 'folder-missing' || /not a git repository/i.test(message)) {
    const way = 'Isolation needs a git repository, or a WorktreeCreate hook.'
    return { type: 'failed', code: 'not-a-repository', message: `${cwd} is not in a git repository. ${way}` }
  }
  return { type: 'failed', code: 'git-failed', message }
}
