import { lstat, readdir, readFile, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { allSettled } from './all-settled.ts'
import type { Proof } from './examine.ts'
import { systemCodeOf } from './paths.ts'
import { type Seen, signatureOf } from './walk.ts'

/** How far a deletion came. */
export type Deletion = { readonly type: 'deleted' } | { readonly type: 'stopped'; readonly why: string }

const AT_ONCE = 32

/**
 * Deletes exactly what a proof saw, each file only while it is still the same one, each folder only when nothing is left in it.
 * What appeared or changed since stops it; nothing else can be deleted by it, whoever writes at the same time.
 */
export async function deleteVerified(top: string, { walk, link }: Proof): Promise<Deletion> {
  try {
    for (const group of [walk.tracked, walk.ours]) {
      const changed = await deleteFiles(top, group)
      if (changed !== undefined) return stopped(`${changed} was changed in the meantime`)
    }
    for (const folder of walk.folders.toReversed()) await rmdir(join(top, folder))
    return await deleteTop(top, link)
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === undefined) throw error
    return stopped(
      code === 'ENOTEMPTY' ? 'something was written to it in the meantime' : `it cannot be deleted (${code})`,
    )
  }
}

/** Returns the path of the first file that is not the one that was seen. */
async function deleteFiles(top: string, files: readonly Seen[]): Promise<string | undefined> {
  for (let start = 0; start < files.length; start += AT_ONCE) {
    const batch = files.slice(start, start + AT_ONCE)
    const deleted = await allSettled(batch.map((seen) => deleteFile(top, seen)))
    const kept = deleted.indexOf(false)
    if (kept !== -1) return batch[kept]?.path
  }
  return undefined
}

async function deleteFile(top: string, { path, signature }: Seen): Promise<boolean> {
  const file = join(top, path)
  if (signatureOf(await lstat(file, { bigint: true })) !== signature) return false
  await unlink(file)
  return true
}

/** The way to git's folder goes last: until then the rest can be judged again. */
async function deleteTop(top: string, link: string): Promise<Deletion> {
  const left = (await readdir(top)).filter((name) => name !== '.git')
  if (left.length > 0) return stopped(`${left[0]} was written to it in the meantime`)
  if ((await readFile(join(top, '.git'), 'utf8')) !== link) return stopped('its .git file was changed')
  await unlink(join(top, '.git'))
  await rmdir(top)
  return { type: 'deleted' }
}

function stopped(why: string): Deletion {
  return { type: 'stopped', why }
}
