import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import type { Git, GitCall } from './git.ts'
import type { WorktreeOptions } from './types.ts'
import { workingOf } from './working.ts'

const TIMEOUT_MS = 5_000

/**
 * Keeps a file that was just made out of the status of its repository, by a line in git's own `info/exclude`: no commit carries it, and no
 * file of the project changes. A file that is tracked or ignored already, one outside of a repository, and one behind a link is left alone.
 * Where git is missing or the line cannot be written, nothing happens. Rejects only with the signal's reason.
 */
export async function keepOutOfStatus(file: string, options: WorktreeOptions = {}): Promise<void> {
  options.signal?.throwIfAborted()
  const { git, signal } = workingOf(options)
  const call = { cwd: dirname(file), signal, timeoutMs: TIMEOUT_MS }
  const name = basename(file)
  if (!(await isUnknown(name, git, call))) return
  const asked = await git(['rev-parse', '--git-path', 'info/exclude', '--show-prefix'], call)
  if (!asked.ok) return
  const [exclude = '', prefix = ''] = asked.stdout.split('\n')
  const path = `/${prefix}${name}`
  if (!path.includes('\n') && exclude !== '') await addLine(resolve(call.cwd, exclude), toPattern(path))
}

/** Neither tracked nor ignored; not, where git cannot tell. */
async function isUnknown(name: string, git: Git, call: GitCall): Promise<boolean> {
  const tracked = await git(['ls-files', '--error-unmatch', '--', `:(literal)${name}`], call)
  if (tracked.ok) return false
  const ignored = await git(['check-ignore', '--quiet', '--', name], call)
  return !ignored.ok && ignored.exitCode === 1
}

/** What it would mean as a pattern is taken literally. */
function toPattern(path: string): string {
  return path.replaceAll(/[\\*?[\]]/g, String.raw`\$&`)
}

async function addLine(file: string, line: string): Promise<void> {
  try {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text.split(/\r?\n/).includes(line)) return
    await mkdir(dirname(file), { recursive: true })
    await appendFile(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`)
  } catch {
    // A git folder that cannot be written: the file shows, no more.
  }
}
