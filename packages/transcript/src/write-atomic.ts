import { randomUUID } from 'node:crypto'
import { open, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Writes a whole file so that a reader sees the old or the new one, never a part. The folder is there. */
export async function writeAtomic(
  path: string,
  parts: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`)
  try {
    await using file = await open(temporary, 'wx', 0o600)
    for await (const part of parts) await file.writeFile(part)
    await file.sync()
  } catch (error) {
    await unlink(temporary).catch(() => {})
    throw error
  }
  await rename(temporary, path)
}
