import type { Git, GitCall } from './git.ts'

/** Ends an examination that cannot come to a proof. Stays inside of this package. */
export class CannotTell extends Error {
  /** Tells it from other errors. */
  override readonly name = 'CannotTell'
}

/** Asks git and gives back what it says; a failure means that nobody can tell. */
export async function ask(git: Git, args: readonly string[], call: GitCall): Promise<string> {
  const outcome = await git(args, call)
  if (outcome.ok) return outcome.stdout
  throw new CannotTell(`git ${args[0]}: ${outcome.message}`)
}
