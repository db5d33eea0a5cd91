import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readlink, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * Writes a whole file so that a reader sees the old or the new one, never a part. Makes missing folders. The mode, and the owner where
 * that is allowed, stay; `path` must not be a link (see {@link followLinks}).
 */
export async function writeAtomic(path: string, text: string): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true })
  const temporary = join(folder, `.${basename(path)}.${randomUUID()}.tmp`)
  const file = await open(temporary, 'wx')
  try {
    try {
      await file.writeFile(text)
      await keepFacts(file, path)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await unlink(temporary).catch(() => {})
    throw error
  }
}

/** The file that a path leads to, also where the last link leads to none yet. */
export async function followLinks(path: string): Promise<string> {
  let target = resolve(path)
  for (let count = 0; count < maxLinks; count += 1) {
    const next = await readlink(target).catch(() => undefined)
    if (next === undefined) return target
    target = resolve(dirname(target), next)
  }
  throw new Error(`Too many links: ${path}`)
}

/** What Linux allows. */
const maxLinks = 40

async function keepFacts(file: FileHandle, path: string): Promise<void> {
  const old = await stat(path).catch(() => undefined)
  if (old === undefined) return
  const own = await file.stat()
  // Only root may give a file away; for others the mode alone is kept.
  if (own.uid !== old.uid || own.gid !== old.gid) await file.chown(old.uid, old.gid).catch(() => {})
  await file.chmod(old.mode & 0o7777)
}
