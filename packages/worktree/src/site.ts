import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Git } from './git.ts'
import { readHolder } from './lock.ts'
import { standingAt } from './paths.ts'
import { type CreationRecord, readRecord } from './record.ts'
import { findAdmin, readRegistrations, registeredPath } from './registration.ts'
import { findRepository, type Repository } from './repository.ts'
import type { Worktree } from './types.ts'

/** A worktree with all that is needed to judge it. */
export interface Site {
  /** The worktree. */
  readonly worktree: Worktree
  /** Its repository. */
  readonly repository: Repository
  /** Where its files are now: its path, or a hidden place beside it during a removal. */
  readonly folder: string
  /** Git's folder for it. */
  readonly admin: string
  /** What was remembered at its creation. */
  readonly record: CreationRecord | undefined
  /** The branch it was made with. */
  readonly branch: string | undefined
  /** The commit it was made from. */
  readonly base: string
}

/** What a worktree turned out to be. */
export type OpenedSite =
  | { readonly type: 'site'; readonly site: Site }
  | { readonly type: 'missing'; readonly admin: string | undefined; readonly repository: Repository }
  | { readonly type: 'unknown'; readonly why: string }

/** Options of `openSite`. */
export interface OpenOptions {
  /** Runs git. */
  readonly git: Git
  /** Ends it. */
  readonly signal?: AbortSignal | undefined
  /** Where the files are now. @default the worktree's path */
  readonly folder?: string
}

/** Checks that a folder is what the worktree says: a real folder whose git folder names it back and is not the main one. */
export async function openSite(worktree: Worktree, options: OpenOptions): Promise<OpenedSite> {
  const { git, signal, folder = worktree.path } = options
  const found = await findRepository(worktree.root, { git, signal })
  if (found.type === 'failed') return { type: 'unknown', why: found.message }
  const { repository } = found
  const standing = await standingAt(folder)
  if (standing === 'nothing') {
    return { type: 'missing', admin: await adminOf(worktree.path, repository), repository }
  }
  if (standing !== 'folder') return { type: 'unknown', why: `${folder} is a ${standing}, not a folder` }
  const admin = await findAdmin(folder, repository.commonDir)
  if (admin === undefined || (await registeredPath(admin)) !== worktree.path) {
    return { type: 'unknown', why: `${folder} is not a worktree that ${repository.root} knows` }
  }
  return judged({ worktree, repository, folder, admin })
}

async function judged(
  found: Pick<Site, 'worktree' | 'repository' | 'folder' | 'admin'>,
): Promise<OpenedSite> {
  const { worktree, admin, folder } = found
  const record = await readRecord(admin)
  const base = record?.base ?? worktree.base ?? (await lockedBase(admin))
  if (base === undefined) return { type: 'unknown', why: `nobody remembers what ${folder} was made from` }
  return { type: 'site', site: { ...found, record, base, branch: record?.branch ?? worktree.branch } }
}

/** One that was never finished has its base in its lock only. */
export async function lockedBase(admin: string): Promise<string | undefined> {
  const holder = await readHolder(admin)
  return holder.by === 'us' ? holder.lock.base : undefined
}

async function adminOf(path: string, { commonDir }: Repository): Promise<string | undefined> {
  return (await readRegistrations(commonDir)).find((entry) => entry.path === path)?.admin
}

/** The hidden place for the files of a worktree while it is removed. */
export function sidePlace(worktrees: string, name: string, token: string): string {
  return join(worktrees, `.removing-${name}-${token}`)
}

/** Finds the hidden place that a stopped removal left a worktree in. */
export async function findAside(
  worktree: Worktree,
  { admin, repository }: { readonly admin: string; readonly repository: Repository },
): Promise<string | undefined> {
  const worktrees = dirname(worktree.path)
  const names = await readdir(worktrees).catch(() => [])
  for (const name of names.filter((entry) => entry.startsWith(sidePlace('', worktree.name, '')))) {
    const folder = join(worktrees, name)
    if ((await findAdmin(folder, repository.commonDir)) === admin) return folder
  }
  return undefined
}
