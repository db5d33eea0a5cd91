import { createGit } from '@x/worktree'
import { createGitBranch } from '../log/git-branch.ts'

/** Lines of the status that are told; so many files are rather a list to ask for. */
const maxLines = 40
/** A repository that takes longer is left for the agent to ask. */
const timeoutMs = 3_000

/** Where and for whom. */
export interface DescribeGitOptions {
  /** The folder it is about. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/**
 * Says how it stands with the repository of a folder: branch, changes, last commits. Nothing where there is none, or git cannot tell.
 *
 * Rejects with `signal.reason` after an abort.
 */
export async function describeGit({ cwd, env, signal }: DescribeGitOptions): Promise<readonly string[]> {
  if (createGitBranch()(cwd) === '') return []
  const git = createGit({ env })
  const call = { cwd, signal, timeoutMs }
  const [status, log] = await Promise.all([
    git(['status', '--short', '--branch'], call),
    git(['log', '--oneline', '--no-decorate', '-n', '5'], call),
  ])
  if (!status.ok) return []
  const lines = status.stdout.trimEnd().split('\n')
  const more = lines.length - maxLines
  const parts = [
    'The state of the git repository when you began; it is not told again:',
    ...lines.slice(0, maxLines),
    ...(more > 0 ? [`... and ${more} more; git status has them all`] : []),
    // A repository without a commit has no log.
    ...(log.ok && log.stdout !== '' ? ['Last commits:', log.stdout.trimEnd()] : []),
  ]
  return [parts.join('\n').toWellFormed()]
}
