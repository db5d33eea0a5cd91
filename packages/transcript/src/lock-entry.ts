import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isProcessAlive, type ProcessIdentity } from '@x/process'
import { isObject } from './record.ts'

/** What one contender for a transcript says of itself, in a file of its own inside the lock folder. */
export interface LockEntry extends ProcessIdentity {
  /** Name of the file; never used twice. */
  readonly name: string
  /** The number of the session's next event, as far as this contender knew. */
  readonly nextSequence: number
  /** It has the transcript, and does not only want it. */
  readonly isHeld: boolean
}

const head = '{"held":'
const middle = ',"next":"'
const digits = 16

/** Where in the file the sign stands that the lock is held; one byte, `0` or `1`. */
export const heldPosition = head.length
/** Where in the file the number stands, in 16 digits. */
export const sequencePosition = head.length + 1 + middle.length

/** Writes a number as it stands in the file. */
export function formatSequence(nextSequence: number): string {
  return String(nextSequence).padStart(digits, '0')
}

/** The text of a new entry. Two of its fields are later changed in place. */
export function formatEntry({ pid, started }: ProcessIdentity): string {
  const identity = JSON.stringify({ pid, started }).slice(1)
  return `${head}0${middle}${formatSequence(0)}",${identity}\n`
}

/** Everybody who is, or was, at a lock. */
export function readEntries(folder: string): readonly (LockEntry & { readonly isAlive: boolean })[] {
  return listNames(folder).flatMap((name) => {
    const entry = readEntry(folder, name)
    return entry === undefined ? [] : [{ ...entry, isAlive: isProcessAlive(entry) }]
  })
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** An entry appears with its whole content, so that one without belongs to nobody: the machine lost power. */
function readEntry(folder: string, name: string): LockEntry | undefined {
  const text = readText(join(folder, name))
  if (text === undefined) return undefined
  const nobody = { name, pid: 0, started: 'never', nextSequence: 0, isHeld: false }
  const value = parse(text)
  if (!isObject(value)) return nobody
  const { held, next, pid, started } = value
  if (typeof pid !== 'number' || typeof started !== 'string') return nobody
  const nextSequence = Number(next)
  return {
    name,
    pid,
    started,
    isHeld: held === 1,
    nextSequence: Number.isSafeInteger(nextSequence) ? nextSequence : 0,
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Gone since it was listed.
    return undefined
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
