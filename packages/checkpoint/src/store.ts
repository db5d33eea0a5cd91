import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { digestOf } from './digest.ts'
import { CheckpointError, hasCode } from './errors.ts'
import { formatLines, type IndexLine, parseLines } from './index-line.ts'
import { makeFolders } from './make-folders.ts'
import type { CheckpointOperations } from './operations.ts'

/** The folder on disk: an index of lines, and copies named by their digests. Not for two at once. */
export interface Store {
  /** All whole lines of the index. */
  readLines(): Promise<readonly IndexLine[]>
  /** Adds lines in one write. */
  append(lines: readonly IndexLine[]): Promise<void>
  /** Puts an index in place of the present one. */
  rewrite(lines: readonly IndexLine[]): Promise<void>
  /** Keeps content under its digest; the same bytes are stored once. */
  keep(digest: string, bytes: Uint8Array): Promise<void>
  /** The bytes of a copy; `undefined` if it is missing or damaged. */
  readCopy(digest: string): Promise<Uint8Array | undefined>
  /** Where a copy stands. */
  pathOf(digest: string): string
  /** Removes every copy but those in use. */
  sweep(inUse: ReadonlySet<string>): Promise<void>
}

const PRIVATE_FOLDER = 0o700
const PRIVATE_FILE = 0o600

/** Opens the store in a folder, which is made when something is to be kept. */
export function openStore(folder: string, operations: CheckpointOperations): Store {
  const indexPath = join(folder, 'index.jsonl')
  const copies = join(folder, 'copies')
  const pathOf = (digest: string): string => join(copies, digest)
  // After a write that failed, the index may end in a part of a line.
  let mayEndTorn = true
  const put = async (path: string, bytes: Uint8Array): Promise<void> => {
    const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
    await makeFolders(copies, operations, { mode: PRIVATE_FOLDER })
    try {
      await operations.create(temporary, bytes, { mode: PRIVATE_FILE })
      await operations.rename(temporary, path)
    } catch (error) {
      await operations.remove(temporary).catch(() => {})
      throw error
    }
  }
  return {
    pathOf,
    readLines: () => readIndex(indexPath, operations),
    append: async (lines) => {
      const text = formatLines(lines)
      const start = mayEndTorn ? '\n' : ''
      mayEndTorn = true
      await makeFolders(folder, operations, { mode: PRIVATE_FOLDER })
      await operations.append(indexPath, start + text)
      mayEndTorn = false
    },
    rewrite: async (lines) => {
      await put(indexPath, Buffer.from(formatLines(lines)))
      mayEndTorn = false
    },
    keep: async (digest, bytes) => {
      const present = await operations.stat(pathOf(digest))
      // A power cut may have left a name without its content.
      if (present?.kind === 'file' && present.sizeBytes === bytes.length) return
      await put(pathOf(digest), bytes)
    },
    readCopy: async (digest) => {
      const bytes = await operations.read(pathOf(digest)).catch(() => undefined)
      return bytes !== undefined && digestOf([bytes]) === digest ? bytes : undefined
    },
    sweep: async (inUse) => {
      for (const name of await operations.list(folder)) {
        if (name.endsWith('.tmp')) await operations.remove(join(folder, name))
      }
      for (const name of await operations.list(copies)) {
        if (!inUse.has(name)) await operations.remove(join(copies, name))
      }
    },
  }
}

async function readIndex(path: string, operations: CheckpointOperations): Promise<readonly IndexLine[]> {
  try {
    return parseLines(Buffer.from(await operations.read(path)).toString())
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    const message = `The index of the checkpoints cannot be read: ${path}. Make it readable, or move its folder away to begin anew.`
    throw new CheckpointError('store-unreadable', message, { path, cause: error })
  }
}
