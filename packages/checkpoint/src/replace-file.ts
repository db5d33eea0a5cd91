import { basename, dirname, join } from 'node:path'
import type { FileContent } from '@x/contract'
import { digestOf } from './digest.ts'
import type { History } from './history.ts'
import { makeFolders } from './make-folders.ts'
import type { CheckpointOperations, FileFacts } from './operations.ts'

/** How a file is brought to other content. */
export interface ReplaceOptions {
  /** What is to be there; `undefined`: nothing. */
  readonly content: FileContent | undefined
  /** What was there when that was decided. */
  readonly expected: FileFacts | undefined
  readonly operations: CheckpointOperations
}

/**
 * Brings a file to other content in one step: whoever looks, and whenever the process dies, it is the old or the new one.
 *
 * `changed`: it was no longer the expected one, and stays as it is. Between that last look and the step there is a moment left.
 */
export async function replaceFile(path: string, options: ReplaceOptions): Promise<'done' | 'changed'> {
  const { content, expected, operations } = options
  if (content === undefined) {
    if (await isStill(path, expected, operations)) {
      await operations.remove(path)
      return 'done'
    }
    return 'changed'
  }
  const temporary = temporaryFor(path, digestOf([content.bytes]))
  await makeFolders(dirname(path), operations)
  await removeIfThere(temporary, operations)
  try {
    const owner = expected && { owner: expected.owner }
    await operations.create(temporary, content.bytes, { mode: content.mode, ...owner })
    if (!(await isStill(path, expected, operations))) return 'changed'
    await operations.rename(temporary, path)
    return 'done'
  } finally {
    await removeIfThere(temporary, operations).catch(() => {})
  }
}

/** Removes the files that a rewind, cut off by the end of its process, has left beside those it brought back. */
export async function removeTemporaries(
  { spans }: Pick<History, 'spans'>,
  operations: CheckpointOperations,
): Promise<void> {
  const open = new Map<number, string>()
  for (const entry of spans.flatMap(({ entries }) => entries)) {
    if (entry.type === 'written') open.delete(entry.number)
    else if (entry.rewindTo !== undefined && entry.after !== null)
      open.set(entry.number, temporaryFor(entry.path, entry.after.digest))
  }
  for (const path of open.values()) await removeIfThere(path, operations)
}

/** Always the same for the same step, so that the next try finds what the last one left. */
function temporaryFor(path: string, digest: string): string {
  // Cut, because the name of the file may already be as long as names can be.
  return join(dirname(path), `.${basename(path).slice(0, 50)}.${digest.slice(0, 16)}.rewind`)
}

async function isStill(
  path: string,
  expected: FileFacts | undefined,
  operations: CheckpointOperations,
): Promise<boolean> {
  return (await operations.stat(path))?.version === expected?.version
}

async function removeIfThere(path: string, operations: CheckpointOperations): Promise<void> {
  if ((await operations.stat(path)) !== undefined) await operations.remove(path)
}
