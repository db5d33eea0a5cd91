import type { BigIntStats, Dirent } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf } from './digest.ts'
import { addFolders, type Index } from './index-entries.ts'
import type { CreationRecord } from './record.ts'

/** One file or link that was looked at: as long as its signature is the same, nobody has changed it since. */
export interface Seen {
  /** Path from the top, with slashes. */
  readonly path: string
  /** Which file it is and when it was changed last. */
  readonly signature: string
  /** Change time in nanoseconds. */
  readonly changed: bigint
}

/** All that lies in a worktree, sorted by what it is. */
export interface Walk {
  /** Tracked files. Whether their content is still the tracked one is for git to say. */
  readonly tracked: Seen[]
  /** Files and links that were put there at the creation and are still the same. */
  readonly ours: Seen[]
  /** Folders below the top, each before what is in it. */
  readonly folders: string[]
  /** Files and whole folders that are nobody's: they exist here only. Folders end with a slash. */
  readonly foreign: string[]
  /** Folders with a repository of their own inside. */
  readonly repositories: string[]
  /** Submodules that have been filled. */
  readonly submodules: string[]
}

/** What the walk compares with. */
export interface WalkQuestion {
  /** The top folder. */
  readonly top: string
  /** What git tracks there. */
  readonly index: Index
  /** What was put there at the creation. */
  readonly record: CreationRecord | undefined
}

/**
 * Looks at everything on the disk, by no rule but what is tracked: git's own list of untracked files leaves out what any
 * ignore file, setting or inner repository hides from it.
 */
export async function walk({ top, index, record }: WalkQuestion): Promise<Walk> {
  const copied = new Map(record?.copied.map(({ path, sha256 }) => [path, sha256]))
  const links = new Map(record?.links.map(({ path, target }) => [path, target]))
  const known = new Set(index.folders)
  for (const path of [...copied.keys(), ...links.keys()]) addFolders(path, known)
  const found: Walk = { tracked: [], ours: [], folders: [], foreign: [], repositories: [], submodules: [] }
  const state: WalkState = { top, index, copied, links, known, found }
  await walkFolder('', state)
  return found
}

interface WalkState {
  readonly top: string
  readonly index: Index
  readonly copied: ReadonlyMap<string, string>
  readonly links: ReadonlyMap<string, string>
  readonly known: ReadonlySet<string>
  readonly found: Walk
}

async function walkFolder(folder: string, state: WalkState): Promise<void> {
  const entries = await readdir(join(state.top, folder), { withFileTypes: true })
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.name === '.git') {
      if (folder !== '') state.found.repositories.push(`${folder}/`)
    } else if (entry.isDirectory()) await visitFolder(path, state)
    else await visitFile(path, entry, state)
  }
}

async function visitFolder(path: string, state: WalkState): Promise<void> {
  const { top, index, known, found } = state
  const isSubmodule = index.entries.get(path)?.isRepository === true
  if (isSubmodule) {
    found.folders.push(path)
    if ((await readdir(join(top, path))).length > 0) found.submodules.push(path)
    return
  }
  if (known.has(path)) {
    found.folders.push(path)
    await walkFolder(path, state)
    return
  }
  const empty = await emptyFolders(path, top)
  if (empty === undefined) found.foreign.push(`${path}/`)
  else found.folders.push(...empty)
}

/** The folder and those in it when they hold nothing but folders. */
async function emptyFolders(path: string, top: string): Promise<readonly string[] | undefined> {
  const folders = [path]
  for (const entry of await readdir(join(top, path), { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === '.git') return undefined
    const inner = await emptyFolders(`${path}/${entry.name}`, top)
    if (inner === undefined) return undefined
    folders.push(...inner)
  }
  return folders
}

async function visitFile(path: string, entry: Dirent, state: WalkState): Promise<void> {
  const { top, index, found } = state
  const tracked = index.entries.get(path)
  const isPlain = entry.isFile() || entry.isSymbolicLink()
  if (tracked !== undefined && !tracked.isRepository && isPlain) {
    found.tracked.push(await look(top, path))
    return
  }
  // The look comes before the comparison: a change after the look shows in the signature.
  const seen = await look(top, path)
  if (await isOurs(path, entry, state)) found.ours.push(seen)
  else found.foreign.push(path)
}

async function isOurs(path: string, entry: Dirent, { top, copied, links }: WalkState): Promise<boolean> {
  const target = links.get(path)
  if (target !== undefined && entry.isSymbolicLink()) return (await readlink(join(top, path))) === target
  const digest = copied.get(path)
  return digest !== undefined && entry.isFile() && (await digestOf(join(top, path))) === digest
}

async function look(top: string, path: string): Promise<Seen> {
  const facts = await lstat(join(top, path), { bigint: true })
  return { path, signature: signatureOf(facts), changed: facts.ctimeNs }
}

/** Which file it is and when it was changed last: every write, truncation and replacement gives another one. */
export function signatureOf(facts: BigIntStats): string {
  return [facts.dev, facts.ino, facts.mode, facts.size, facts.mtimeNs, facts.ctimeNs].join(':')
}
