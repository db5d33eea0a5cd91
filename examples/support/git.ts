import { runProcess } from '@x/process'

/** Runs git in a folder, as somebody. @throws Error with what git says where it fails. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const identity = ['-c', 'user.name=x', '-c', 'user.email=x@localhost', '-c', 'init.defaultBranch=main']
  const { exit, stdout, stderr } = await runProcess('git', [...identity, ...args], { cwd })
  if (exit.kind !== 'exited' || exit.code !== 0) throw new Error(`git ${args[0]}: ${stderr.text}`)
  return stdout.text
}

/** Makes a folder a repository, with all that is in it committed. */
export async function makeRepository(cwd: string): Promise<void> {
  await git(cwd, 'init', '-q')
  // A commit of an agent has an author too.
  await git(cwd, 'config', 'user.name', 'agent')
  await git(cwd, 'config', 'user.email', 'agent@localhost')
  await git(cwd, 'add', '.')
  await git(cwd, 'commit', '-qm', 'first')
}
