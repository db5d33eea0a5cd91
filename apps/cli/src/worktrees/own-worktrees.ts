import process from 'node:process'
import { createGit, type ListedWorktree, listWorktrees } from '@x/worktree'

/**
 * The worktrees of the repository that the program was started in.
 *
 * @throws Error outside of a repository.
 */
export async function ownWorktrees(signal: AbortSignal): Promise<readonly ListedWorktree[]> {
  const cwd = process.cwd()
  const inRepository = await createGit()(['rev-parse', '--git-dir'], { cwd, signal })
  if (inRepository.ok) return listWorktrees({ cwd, signal })
  const isMissing = inRepository.problem === 'git-missing'
  throw new Error(isMissing ? `${inRepository.message}.` : `${cwd} is not in a git repository.`)
}
