import { lstat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { type CheckedOut, removeHalfMade } from './check-out.ts'
import { copyInto, findIncluded, planCopies } from './include-files.ts'
import { linkInto, planLinks } from './link-folders.ts'
import { describeHolder, makeLock, takeLock } from './lock.ts'
import { describeFolderProblem } from './place.ts'
import { type CreationRecord, writeRecord } from './record.ts'
import type { Repository } from './repository.ts'
import type { Creation } from './types.ts'
import type { Working } from './working.ts'

/** What a worktree gets beside its tracked files. */
export interface Equipment {
  /** Its repository. */
  readonly repository: Repository
  /** How git is asked. */
  readonly working: Working
  /** Whether a sweep may remove it. */
  readonly isSweepable: boolean
  /** Folders to link. */
  readonly symlinkDirectories: readonly string[]
}

/** Copies and links what is wanted, writes down what was put there, and locks the finished worktree for this process. */
export async function equip(made: CheckedOut, equipment: Equipment): Promise<Creation> {
  const { working } = equipment
  try {
    const creation = await equipOrThrow(made, equipment)
    if (creation.type === 'failed') await removeHalfMade(made, working)
    return creation
  } catch (error) {
    // A host that stops at a step of its own wants to see what is left.
    if (working.signal?.aborted === true) await removeHalfMade(made, working)
    throw error
  }
}

async function equipOrThrow(made: CheckedOut, equipment: Equipment): Promise<Creation> {
  const { worktree, admin } = made
  const { repository, working, isSweepable, symlinkDirectories } = equipment
  const { root } = repository
  const { name, branch, base, path } = worktree
  const copies = await planCopies(root, await findIncluded(root, working))
  const linking = await planLinks(root, symlinkDirectories)
  const record = { name, branch, base, isSweepable, copied: copies.files, links: linking.links }
  const notes = [...copies.notes, ...linking.notes]
  try {
    working.onStep('write-record')
    await writeRecord(admin, record)
    notes.push(...(await putInto(path, record, { root, working })))
    working.onStep('mark')
    await writeRecord(admin, { ...record, mark: await makeMark(path) })
    working.signal?.throwIfAborted()
    working.onStep('lock')
    const held = await takeLock(admin, makeLock('in-use', base))
    if (held !== undefined) return { type: 'failed', code: 'folder-unusable', message: describeHolder(held) }
  } catch (error) {
    working.signal?.throwIfAborted()
    return describeFolderProblem(path, error)
  }
  return { type: 'created', worktree, notes }
}

async function putInto(
  path: string,
  { copied, links }: CreationRecord,
  { root, working }: { readonly root: string; readonly working: Working },
): Promise<readonly string[]> {
  const notes: string[] = []
  for (const file of copied) {
    working.signal?.throwIfAborted()
    working.onStep(`copy ${file.path}`)
    const note = await copyInto(path, file.path, root)
    if (note !== undefined) notes.push(note)
  }
  for (const link of links) {
    working.onStep(`link ${link.path}`)
    const note = await linkInto(path, link)
    if (note !== undefined) notes.push(note)
  }
  return notes
}

/** The present as the file system of the worktree tells it: by a change of the one file that nobody else changes. */
async function makeMark(path: string): Promise<string> {
  const link = join(path, '.git')
  const now = new Date()
  await utimes(link, now, now)
  return String((await lstat(link, { bigint: true })).ctimeNs)
}
