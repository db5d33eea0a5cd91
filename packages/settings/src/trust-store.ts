import { lstat, readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { findRepository, type GitRepository, realPathOf } from './git-root.ts'
import { nodesAlong, toValue } from './json-node.ts'
import { parseJson } from './parse-json.ts'
import { readBounded, readBytes } from './read-bounded.ts'
import { stateFolderOf } from './settings-places.ts'
import type { TrustState } from './trust-policy.ts'
import { updateSettingsFile } from './update-settings.ts'

/** Where trust is remembered. */
export interface TrustStoreOptions {
  /** The folder with the file `trust.json`. @default `X_HOME`, else `~/.x` */
  readonly stateFolder?: string
  /** The user's home folder: trust in it is no trust in what is below. @default os.homedir() */
  readonly home?: string
}

/** What is known about a folder. */
export interface FolderTrust {
  /** The folder that is trusted or not: the root of the main checkout, else the folder itself; its real path. */
  readonly root: string
  /** How far it is trusted. */
  readonly state: TrustState
  /** No local settings file is in the repository or reached through a link, so that only the user can have written it. */
  readonly isLocalFileOwn: boolean
}

/** Remembers which folders the user trusts. */
export interface TrustStore {
  /** Looks a folder up. A store that cannot be read trusts nothing. Never rejects. */
  judge(cwd: string): Promise<FolderTrust>
  /** Remembers that the user trusts the project of a folder. Throws SettingsError if the store cannot be written. */
  trust(cwd: string): Promise<void>
  /** Forgets it again. Throws SettingsError if the store cannot be written. */
  forget(cwd: string): Promise<void>
}

/** Opens the store of trusted folders. Reads and writes nothing until it is asked. */
export function createTrustStore(options: TrustStoreOptions = {}): TrustStore {
  const home = resolve(options.home ?? homedir())
  const file = join(options.stateFolder ?? stateFolderOf(process.env, home), 'trust.json')
  return {
    judge: async (cwd) => {
      const repository = await findRepository(cwd)
      const root = repository?.root ?? (await realPathOf(cwd))
      const state = stateIn(await readFolders(file), root, await realPathOf(home))
      return { root, state, isLocalFileOwn: await areLocalFilesOwn(repository, [root, resolve(cwd)]) }
    },
    trust: async (cwd) => {
      const set = { trustedAt: new Date().toISOString() }
      await updateSettingsFile(file, { path: ['folders', await rootOf(cwd)], set })
    },
    forget: async (cwd) => {
      await updateSettingsFile(file, { path: ['folders', await rootOf(cwd)], unset: true })
    },
  }
}

async function rootOf(cwd: string): Promise<string> {
  return (await findRepository(cwd))?.root ?? realPathOf(cwd)
}

async function readFolders(file: string): Promise<ReadonlySet<string>> {
  const found = await readBounded(file)
  const { root, faults } = parseJson(found.kind === 'text' ? found.text : '')
  const folders = root === undefined || faults.length > 0 ? undefined : nodesAlong(root, ['folders'])[1]
  const value = folders?.kind === 'object' ? toValue(folders) : {}
  return new Set(Object.keys(value ?? {}))
}

function stateIn(trusted: ReadonlySet<string>, root: string, home: string): TrustState {
  if (trusted.has(root)) return 'trusted'
  // The home folder and what is above it hold nearly everything, so that trust in them says nothing about a project.
  const wide = new Set([home, ...foldersAbove(home), ...foldersAbove(root).slice(-1)])
  const isParent = foldersAbove(root).some((folder) => trusted.has(folder) && !wide.has(folder))
  return isParent ? 'parent-trusted' : 'untrusted'
}

function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [] : [above, ...foldersAbove(above)]
}

async function areLocalFilesOwn(
  repository: GitRepository | undefined,
  roots: readonly string[],
): Promise<boolean> {
  const paths = roots.flatMap((root) =>
    ['.claude', '.x'].flatMap((name) => [join(root, name), join(root, name, 'settings.local.json')]),
  )
  const facts = await Promise.all(paths.map(async (path) => lstat(path).catch(() => undefined)))
  if (facts.some((fact) => fact?.isSymbolicLink() === true)) return false
  return repository === undefined || !(await mayTrackLocalFile(repository.gitFolder))
}

/** The index of a million files is smaller. */
const maxIndexBytes = 256 * 1024 * 1024

/**
 * Looks for the file's name in the index of the repository. When in doubt it is tracked: in a version 4 index names are cut, and a split
 * index is elsewhere.
 */
async function mayTrackLocalFile(gitFolder: string): Promise<boolean> {
  const names: readonly string[] = await readdir(gitFolder).catch(() => [])
  if (!names.includes('index')) return false
  if (names.some((name) => name.startsWith('sharedindex.'))) return true
  const found = await readBytes(join(gitFolder, 'index'), maxIndexBytes)
  if (found.kind !== 'bytes' || found.bytes.length < 12 || found.bytes.readUInt32BE(4) > 3) return true
  // Without regard to case, since some file systems have none.
  return /settings\.local\.json/i.test(found.bytes.toString('latin1'))
}
