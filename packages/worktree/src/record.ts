import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What is remembered of a worktree, in git's own folder for it, so that it lives exactly as long. */
export interface CreationRecord {
  /** Its name. */
  readonly name: string
  /** Its branch. */
  readonly branch: string
  /** The commit it was made from. */
  readonly base: string
  /** A sweep may remove it. */
  readonly isSweepable: boolean
  /** Ignored files that were copied into it. */
  readonly copied: readonly CopiedFile[]
  /** Links to folders of the main checkout. */
  readonly links: readonly FolderLink[]
  /** Change time at which it was complete, in nanoseconds: a file with an older one has not been touched. */
  readonly mark?: string
}

/** A file as it was copied. */
export interface CopiedFile {
  /** Path from the top, with slashes. */
  readonly path: string
  /** Digest of its bytes. */
  readonly sha256: string
}

/** A link as it was made. */
export interface FolderLink {
  /** Path from the top, with slashes. */
  readonly path: string
  /** Where it leads. */
  readonly target: string
}

const FILE = 'x-worktree.json'

/** Writes the record at one stroke. */
export async function writeRecord(admin: string, record: CreationRecord): Promise<void> {
  const file = join(admin, FILE)
  await writeFile(`${file}.new`, `${JSON.stringify(record, undefined, 2)}\n`)
  await rename(`${file}.new`, file)
}

/** Reads the record; undefined when there is none that can be trusted. */
export async function readRecord(admin: string): Promise<CreationRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(admin, FILE), 'utf8'))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is CreationRecord {
  if (!isObject(value)) return false
  const { name, branch, base, isSweepable, copied, links, mark } = value
  return (
    areTexts([name, branch, base]) &&
    typeof isSweepable === 'boolean' &&
    isListOf(copied, ['path', 'sha256']) &&
    isListOf(links, ['path', 'target']) &&
    (mark === undefined || (typeof mark === 'string' && /^\d+$/.test(mark)))
  )
}

function isListOf(value: unknown, keys: readonly string[]): boolean {
  return (
    Array.isArray(value) && value.every((entry) => isObject(entry) && areTexts(keys.map((key) => entry[key])))
  )
}

function areTexts(values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
