import { realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { type Checkpoints, createCheckpoints } from '@x/checkpoint'
import type { SessionLog } from './log/session-log.ts'
import { notice } from './notice.ts'
import type { SessionSetup } from './session-setup.ts'

/**
 * Makes the checkpoints of a session, for files in its working directories; nothing is read or written before the first change.
 * Undefined for a session that keeps nothing.
 */
export function createSessionCheckpoints(
  { options, stateFolder, sessionId, cwd, access, news }: SessionSetup,
  log: () => SessionLog,
): Checkpoints | undefined {
  if (options.persistSession === false) return undefined
  const folders = () => [cwd, ...access.permissions.workingDirectories].map(realFolder)
  return createCheckpoints({
    folder: checkpointFolder(stateFolder, sessionId),
    isInProject: (path) =>
      folders().some((folder) => path === folder || path.startsWith(withSeparator(folder))),
    log: (record) => log().note({ ...record }),
    onProblem: ({ message }) => news.push(notice(`A checkpoint is not whole: ${message}`, 'warning')),
  })
}

/** Where the checkpoints of a session are. */
export function checkpointFolder(stateFolder: string, sessionId: string): string {
  return join(stateFolder, 'file-history', sessionId)
}

function withSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : `${folder}${sep}`
}

function realFolder(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
