import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Repository } from './repository.ts'
import type { Working } from './unregister.ts'
import { WORKTREES } from './worktree-name.ts'

const LINE = `/${WORKTREES.join('/')}/`

/**
 * Keeps the worktrees out of the status of the main checkout, by a line in git's own `info/exclude`: it is not tracked, so no
 * file of the project changes. A project that ignores the folder already is left alone. Failing to write is no failure.
 */
export async function hideFromStatus(
  { root, commonDir }: Repository,
  { git, signal }: Working,
): Promise<void> {
  const probe = [...WORKTREES, 'x'].join('/')
  const ignored = await git(['check-ignore', '--quiet', '--no-index', probe], { cwd: root, signal })
  if (ignored.ok) return
  const file = join(commonDir, 'info', 'exclude')
  const text = await readFile(file, 'utf8').catch(() => '')
  if (text.split('\n').includes(LINE)) return
  try {
    await mkdir(dirname(file), { recursive: true })
    await appendFile(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${LINE}\n`)
  } catch {
    // A read-only git folder: git itself will say so in a moment.
  }
}
