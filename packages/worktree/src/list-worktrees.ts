import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describeHolder, type Holder, readHolder } from './lock.ts'
import { isInside, standingAt } from './paths.ts'
import { type CreationRecord, readRecord } from './record.ts'
import { findAdmin, type Registration, readRegistrations } from './registration.ts'
import { findRepository, type Repository } from './repository.ts'
import { lockedBase } from './site.ts'
import type { Worktree, WorktreeOptions } from './types.ts'
import { workingOf } from './working.ts'
import { branchOf, WORKTREES } from './worktree-name.ts'

/** How a worktree stands. */
export type WorktreeState =
  | 'ready'
  | 'in-use'
  | 'abandoned'
  | 'half-made'
  | 'half-removed'
  | 'missing'
  | 'unregistered'

/** One worktree of a repository, or what is left of one. */
export interface ListedWorktree {
  /** The worktree. */
  readonly worktree: Worktree
  /**
   * `ready` nobody holds it · `in-use` locked · `abandoned` locked by a process that is gone · `half-made`, `half-removed` that
   * process was in the middle of it · `missing` its folder was deleted · `unregistered` a folder that git does not know.
   */
  readonly state: WorktreeState
  /** The state in words. */
  readonly detail: string
  /** When something last happened in it, in milliseconds since 1970. */
  readonly usedAtMs: number
  /** A sweep may remove it. */
  readonly isSweepable: boolean
}

/** Options of `listWorktrees`. */
export interface ListWorktreesOptions extends WorktreeOptions {
  /** A folder of the repository. */
  readonly cwd: string
}

/** Lists the worktrees below `.claude/worktrees` of a repository, unfinished ones too; none where there is no repository. */
export async function listWorktrees(options: ListWorktreesOptions): Promise<readonly ListedWorktree[]> {
  options.signal?.throwIfAborted()
  const found = await findRepository(options.cwd, workingOf(options))
  if (found.type === 'failed') return []
  return (await listSites(found.repository)).map(({ listed }) => listed)
}

/** A listed worktree with what a sweep needs. */
export interface ListedSite {
  /** What is told. */
  readonly listed: ListedWorktree
  /** Git's folder for it; undefined for a folder that git does not know. */
  readonly admin: string | undefined
  /** Who holds it. */
  readonly holder: Holder
}

/** Lists all worktrees of a repository that are ours, with what belongs to them. */
export async function listSites(repository: Repository): Promise<readonly ListedSite[]> {
  const worktrees = join(repository.root, ...WORKTREES)
  const registrations = await readRegistrations(repository.commonDir)
  const known = await Promise.all(registrations.map((entry) => describeKnown(entry, repository, worktrees)))
  const paths = new Set(registrations.map(({ path }) => path))
  const folders = await readdir(worktrees).catch(() => [])
  const unknown = await Promise.all(
    folders
      .filter((name) => !paths.has(join(worktrees, name)))
      .map((name) => describeUnknown(join(worktrees, name), repository)),
  )
  return [...known, ...unknown].filter((site) => site !== undefined)
}

async function describeKnown(
  { admin, path }: Registration,
  repository: Repository,
  worktrees: string,
): Promise<ListedSite | undefined> {
  const [record, holder] = await Promise.all([readRecord(admin), readHolder(admin)])
  // Git was stopped before it wrote where the worktree is.
  const isUnfinished = path === undefined && holder.by === 'us'
  const place = isUnfinished ? join(worktrees, basename(admin)) : path
  if (place === undefined || !isInside(place, worktrees)) return undefined
  const worktree = await describeWorktree(place, { admin, record, root: repository.root })
  const state = stateOf(holder, (await standingAt(place)) !== 'nothing')
  const usedAtMs = await lastUse(admin, place)
  const detail = describe(state, holder)
  const isSweepable = record?.isSweepable ?? true
  return { listed: { worktree, state, detail, usedAtMs, isSweepable }, admin, holder }
}

async function describeWorktree(
  path: string,
  found: { readonly admin: string; readonly record: CreationRecord | undefined; readonly root: string },
): Promise<Worktree> {
  const { admin, record, root } = found
  const name = record?.name ?? basename(path)
  const base = record?.base ?? (await lockedBase(admin))
  const branch = record?.branch ?? branchOf(name)
  return { name, path, root, branch, ...(base === undefined ? {} : { base }), isHookMade: false }
}

function stateOf(holder: Holder, isThere: boolean): WorktreeState {
  if (holder.by === 'us') {
    if (holder.life !== 'dead') return 'in-use'
    if (holder.lock.kind !== 'in-use') return holder.lock.kind === 'creating' ? 'half-made' : 'half-removed'
  }
  if (!isThere) return 'missing'
  if (holder.by === 'others') return 'in-use'
  return holder.by === 'us' ? 'abandoned' : 'ready'
}

function describe(state: WorktreeState, holder: Holder): string {
  if (state === 'missing') return 'Its folder was deleted.'
  const whose = describeHolder(holder)
  return state === 'in-use' || state === 'ready'
    ? whose
    : `${whose.replace(' is ', ' was ').replace(/\.$/, '')}, which is gone.`
}

async function describeUnknown(path: string, repository: Repository): Promise<ListedSite | undefined> {
  const standing = await standingAt(path)
  // The hidden place of a removal is listed with its registration.
  const admin = standing === 'folder' ? await findAdmin(path, repository.commonDir) : undefined
  const isAside = basename(path).startsWith('.removing-') && admin !== undefined
  if (standing !== 'folder' || (isAside && (await standingAt(admin)) === 'folder')) return undefined
  const worktree = { name: basename(path), path, root: repository.root, isHookMade: false }
  const usedAtMs = await lastUse(path)
  const detail = 'Git does not know this folder.'
  const listed: ListedWorktree = { worktree, state: 'unregistered', detail, usedAtMs, isSweepable: true }
  return { listed, admin: undefined, holder: { by: 'nobody' } }
}

/** The latest change of the folders and of what git keeps in its own. */
async function lastUse(...folders: readonly string[]): Promise<number> {
  const files = folders.flatMap((folder) =>
    ['.', 'index', 'HEAD', 'logs/HEAD'].map((name) => join(folder, name)),
  )
  const times = await Promise.all(
    files.map(async (file) => (await stat(file).catch(() => undefined))?.mtimeMs ?? 0),
  )
  return Math.max(...times)
}
