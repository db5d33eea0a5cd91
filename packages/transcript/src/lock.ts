import { randomBytes } from 'node:crypto'
import {
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { identifySelf } from '@x/process'
import { systemCodeOf, TranscriptError } from './errors.ts'
import {
  formatEntry,
  formatSequence,
  heldPosition,
  type LockEntry,
  readEntries,
  sequencePosition,
} from './lock-entry.ts'

/** The right to write a transcript; one process and one writer in it has it at a time. */
export interface TranscriptLock {
  /** What the writer before knew of the session's next event number; 0 if it closed the transcript, or there was none. */
  readonly inheritedSequence: number
  /** Keeps the number of the next event: the death of this process does not lose it. A few bytes, written at once. */
  keepSequence(nextSequence: number): void
  /** Gives the right back. Harmless twice. */
  release(): void
}

const patienceMs = 2_000

/**
 * Takes the lock of a transcript, also one that a dead process left.
 *
 * Each contender puts a file with a name of its own into the folder `<path>.lock` and only then looks around: it has the lock if nobody
 * else who lives is there. Of two that see each other the one with the greater name steps back. As names are never used
 * again, removing the file of a dead process can never remove anybody else's.
 *
 * @throws TranscriptError `in-use` if somebody else has it.
 */
export async function takeLock(path: string, signal?: AbortSignal): Promise<TranscriptLock> {
  const folder = `${path}.lock`
  const endMs = Date.now() + patienceMs
  for (;;) {
    signal?.throwIfAborted()
    refuseIfHeld(path, othersIn(folder))
    const own = enter(folder)
    if (own === undefined) continue
    try {
      if (await isAlone(path, own, endMs)) return hold(own)
    } catch (error) {
      leave(own)
      throw error
    }
    leave(own)
    await delay(1 + Math.random() * 4)
  }
}

/** An entry of ours. */
interface OwnEntry {
  readonly folder: string
  readonly name: string
}

function othersIn(folder: string, own?: OwnEntry): readonly LockEntry[] {
  return readEntries(folder).filter((entry) => entry.isAlive && entry.name !== own?.name)
}

function refuseIfHeld(path: string, others: readonly LockEntry[]): void {
  const holder = others.find((entry) => entry.isHeld)
  if (holder !== undefined) throw inUse(path, holder)
}

function inUse(path: string, { pid }: LockEntry): TranscriptError {
  const who = pid === process.pid ? `this process (pid ${pid})` : `another process (pid ${pid})`
  const message = `${path} is being written by ${who}; close the session there, or fork it to go on here`
  return new TranscriptError('in-use', message, { file: path, pid })
}

/** The file appears under its name with all its content. Nothing if the folder was removed in this moment. */
function enter(folder: string): OwnEntry | undefined {
  const name = `${process.pid}-${randomBytes(8).toString('hex')}`
  const temporary = join(folder, `${name}.new`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(temporary, formatEntry(identifySelf()), { mode: 0o600, flag: 'wx' })
    renameSync(temporary, join(folder, name))
    return { folder, name }
  } catch (error) {
    remove(temporary)
    if (systemCodeOf(error) === 'ENOENT') return undefined
    throw new TranscriptError('write-failed', `${folder} cannot be made`, { file: folder, cause: error })
  }
}

/** Waits until every other contender has stepped back, or says that it is our turn to. */
async function isAlone(path: string, own: OwnEntry, endMs: number): Promise<boolean> {
  for (;;) {
    const others = othersIn(own.folder, own)
    const [other] = others
    if (other === undefined) return true
    refuseIfHeld(path, others)
    if (Date.now() > endMs) throw inUse(path, other)
    if (others.some(({ name }) => name < own.name)) return false
    await delay(1)
  }
}

function hold(own: OwnEntry): TranscriptLock {
  const file = join(own.folder, own.name)
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, '1', heldPosition)
  const dead = readEntries(own.folder).filter((entry) => !entry.isAlive)
  const inheritedSequence = Math.max(0, ...dead.map((entry) => entry.nextSequence))
  const keepSequence = (nextSequence: number): void =>
    void writeSync(descriptor, formatSequence(nextSequence), sequencePosition)
  // The number must stand in our own entry before the one that told it goes.
  keepSequence(inheritedSequence)
  for (const { name } of dead) remove(join(own.folder, name))
  let isReleased = false
  return {
    inheritedSequence,
    keepSequence,
    release() {
      if (isReleased) return
      isReleased = true
      closeSync(descriptor)
      leave(own)
    },
  }
}

function leave({ folder, name }: OwnEntry): void {
  remove(join(folder, name))
  try {
    rmdirSync(folder)
  } catch {
    // Somebody else is in it, or has removed it.
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file)
  } catch {
    // It is gone already.
  }
}
