import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSelf, type LockOwner, lifeOf, ownOwner } from './lock-owner.ts'
import { systemCodeOf } from './paths.ts'

/** What the owner of a lock is doing. */
export type LockKind = 'creating' | 'in-use' | 'removing'

/** One lock that this package made; git shows it as the reason of its own lock. */
export interface Lock extends LockOwner {
  /** What its owner is doing. */
  readonly kind: LockKind
  /** The commit the worktree was made from, so that one that was never finished can be judged. */
  readonly base: string
  /** Tells this lock from every other. */
  readonly token: string
}

/** Who holds a worktree. */
export type Holder =
  | { /** Nobody. */ readonly by: 'nobody' }
  | {
      /** Git or a person, with this reason. */ readonly by: 'others' /** Their reason. */
      readonly reason: string
    }
  | {
      /** This package, in some process. */
      readonly by: 'us'
      /** The lock. */
      readonly lock: Lock
      /** Whether that process lives. */
      readonly life: 'alive' | 'dead' | 'unknown'
    }

/** Nobody is in the way, but the lock cannot be written: the disk is full, say. */
export interface NoLock {
  /** Tells it from a holder. */
  readonly by: 'failure'
  /** The `code` of the error. */
  readonly code: string
}

/** Makes a lock of this process. */
export function makeLock(kind: LockKind, base: string): Lock {
  return { ...ownOwner(), kind, base, token: randomBytes(6).toString('hex') }
}

/** The reason that git stores. */
export function formatLock({ kind, pid, started, host, base, token }: Lock): string {
  return `x: ${kind} by process ${pid} (started ${started}) on ${host}; base ${base}; ${token}`
}

/** Reads a reason; undefined when it is somebody else's. */
function parseLock(reason: string): Lock | undefined {
  const pattern =
    /^x: (creating|in-use|removing) by process (\d+) \(started (\S+)\) on (\S+); base ([0-9a-f]+); ([0-9a-f]+)$/
  const found = pattern.exec(reason.trim())
  if (found === null) return undefined
  const [, kind, pid, started = '', host = '', base = '', token = ''] = found
  // The pattern names the three kinds.
  return { kind: kind as LockKind, pid: Number(pid), started, host, base, token }
}

/** Says who holds the worktree of this git folder. */
export async function readHolder(admin: string): Promise<Holder> {
  let reason: string
  try {
    reason = await readFile(join(admin, 'locked'), 'utf8')
  } catch (error) {
    return systemCodeOf(error) === 'ENOENT' ? { by: 'nobody' } : { by: 'others', reason: String(error) }
  }
  const lock = parseLock(reason)
  return lock === undefined ? { by: 'others', reason: reason.trim() } : { by: 'us', lock, life: lifeOf(lock) }
}

/**
 * Takes the lock: a free one, one of this process, or one of a process that is gone; undefined when it is taken. The file is written
 * directly, as git documents it: replacing it leaves no moment without a lock, in which `git worktree prune` could take the worktree
 * apart. It appears whole or not at all: an empty one would be a lock of somebody else, for ever. `isExclusive`: not one of this process.
 */
export async function takeLock(
  admin: string,
  lock: Lock,
  { isExclusive = false }: { readonly isExclusive?: boolean } = {},
): Promise<Holder | NoLock | undefined> {
  const holder = await readHolder(admin)
  if (isInTheWay(holder, isExclusive)) return holder
  const code = await writeLock(join(admin, 'locked'), lock, holder.by === 'us' ? rename : putNew)
  if (code === undefined) return undefined
  return code === 'EEXIST' ? readHolder(admin) : { by: 'failure', code }
}

function isInTheWay(holder: Holder, isExclusive: boolean): boolean {
  if (holder.by !== 'us') return holder.by === 'others'
  return holder.life !== 'dead' && (isExclusive || !isSelf(holder.lock))
}

/** Puts the whole lock in its place; the `code` of the error when that fails. */
async function writeLock(
  file: string,
  lock: Lock,
  put: (from: string, to: string) => Promise<void>,
): Promise<string | undefined> {
  const next = `${file}.${lock.token}`
  try {
    await writeFile(next, `${formatLock(lock)}\n`)
    await put(next, file)
    return undefined
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === undefined) throw error
    return code
  } finally {
    await rm(next, { force: true }).catch(() => {})
  }
}

/** Never over something. Not every file system has a second name for a file. */
async function putNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
  }
}

/** Lets go of a lock if it is still the one that was taken. */
export async function releaseLock(admin: string, token: string): Promise<void> {
  const holder = await readHolder(admin)
  if (holder.by === 'us' && holder.lock.token === token) await rm(join(admin, 'locked'), { force: true })
}

/** Says in one sentence who holds a worktree. */
export function describeHolder(holder: Holder | NoLock): string {
  if (holder.by === 'failure') return `Its lock cannot be written (${holder.code}).`
  if (holder.by === 'nobody') return 'It is not locked.'
  if (holder.by === 'others')
    return `It is locked: ${holder.reason === '' ? 'no reason given' : holder.reason}`
  const { kind, pid, host } = holder.lock
  return `It is ${kind === 'in-use' ? 'in use' : `being ${kind === 'creating' ? 'made' : 'removed'}`} by process ${pid} on ${host}.`
}
