import { join, sep } from 'node:path'
import { type Checkpoints, createCheckpoints } from '@x/checkpoint'
import type { JsonObject } from '@x/contract'

/** What the checkpoints of a session are made of. */
export interface SessionCheckpointsFacts {
  /** The folder of this program's own state. */
  readonly stateFolder: string
  readonly sessionId: string
  /** The folders whose files a rewind may touch, now. Absolute real paths. */
  readonly folders: () => readonly string[]
  /** Writes a record beside the conversation. */
  readonly note: (record: JsonObject & { readonly type: string }) => Promise<void>
  /** Tells the user what could not be kept. */
  readonly warn: (text: string) => void
}

/** Makes the checkpoints of a session; nothing is read or written before the first change. */
export function createSessionCheckpoints(facts: SessionCheckpointsFacts): Checkpoints {
  const { stateFolder, sessionId, folders, note, warn } = facts
  return createCheckpoints({
    folder: checkpointFolder(stateFolder, sessionId),
    isInProject: (path) =>
      folders().some((folder) => path === folder || path.startsWith(withSeparator(folder))),
    log: (record) => note({ ...record }),
    onProblem: ({ message }) => warn(`A checkpoint is not whole: ${message}`),
  })
}

/** Where the checkpoints of a session are. */
export function checkpointFolder(stateFolder: string, sessionId: string): string {
  return join(stateFolder, 'file-history', sessionId)
}

function withSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : `${folder}${sep}`
}
