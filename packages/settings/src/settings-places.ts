import { access, readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { findRepository, realPathOf } from './git-root.ts'
import type { SettingSource, SettingsPlace, WritableLayer } from './layers.ts'

/** Where to look for settings files. */
export interface PlaceOptions {
  /** The folder the session starts in. @default process.cwd() */
  readonly cwd?: string
  /** The user's home folder. @default os.homedir() */
  readonly home?: string
  /** `CLAUDE_CONFIG_DIR` moves `~/.claude` and `X_HOME` moves `~/.x`. @default process.env */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder of managed settings; `false` for none. @default the documented one of this system */
  readonly managedFolder?: string | false
  /** The files that are read beside managed ones. @default all three */
  readonly sources?: readonly SettingSource[]
}

/** The places of all files, the weakest first, and where each layer is written to. */
export interface SettingsPlaces {
  /** Files that may exist, the weakest first. */
  readonly files: readonly SettingsPlace[]
  /** Folders in which any file may appear. */
  readonly folders: readonly string[]
  /** The file to write to. */
  readonly targets: Readonly<Record<WritableLayer, string>>
}

/** Finds where settings may stand. Reads folders, no settings. */
export async function findPlaces(options: PlaceOptions): Promise<SettingsPlaces> {
  const { env, sources = ['user', 'project', 'local'] } = options
  const cwd = resolve(options.cwd ?? process.cwd())
  const home = resolve(options.home ?? homedir())
  const user = [env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), stateFolderOf(env, home)]
  const project = await foldersIn(cwd, user)
  const localRoot = await findLocalRoot(cwd, home)
  const roots = localRoot === cwd ? [cwd] : [cwd, localRoot]
  const managed = await managedFiles(options.managedFolder ?? managedSettingsFolder(env))
  const files: Record<SettingSource, string[]> = {
    user: user.map((folder) => join(folder, 'settings.json')),
    project: project.map((folder) => join(folder, 'settings.json')),
    local: roots.flatMap((root) => folderNames.map((name) => join(root, name, 'settings.local.json'))),
  }
  const wanted = (['user', 'project', 'local'] as const).filter((source) => sources.includes(source))
  return {
    files: [
      ...wanted.flatMap((layer) => files[layer].map((path) => ({ layer, path }))),
      ...managed.files.map((path) => ({ layer: 'managed', path }) as const),
    ],
    folders: managed.folders,
    targets: {
      user: join(stateFolderOf(env, home), 'settings.json'),
      project: await targetIn(cwd, 'settings.json'),
      local: await targetIn(localRoot, 'settings.local.json'),
    },
  }
}

/** The folder of this program's own state: `X_HOME`, else `.x` in the home folder. */
export function stateFolderOf(env: PlaceOptions['env'], home: string = homedir()): string {
  return resolve(env['X_HOME'] || join(home, '.x'))
}

/** The stronger one last. */
const folderNames = ['.claude', '.x'] as const

/** In the home folder, the user's own files are no project's. */
async function foldersIn(cwd: string, user: readonly string[]): Promise<readonly string[]> {
  const taken = new Set(await Promise.all(user.map(realPathOf)))
  const folders = folderNames.map((name) => join(cwd, name))
  const real = await Promise.all(folders.map(realPathOf))
  return folders.filter((_folder, index) => !taken.has(real[index] ?? ''))
}

/** A new file is made in `.claude`, where every program of this kind finds it; an existing one in `.x` wins. */
async function targetIn(root: string, name: string): Promise<string> {
  const own = join(root, '.x', name)
  const exists = await access(own).then(
    () => true,
    () => false,
  )
  return exists ? own : join(root, '.claude', name)
}

/**
 * The folder whose local file counts: the root of the main checkout, so that all worktrees share remembered answers. The start folder
 * where there is no such root, where it is the home folder, on Windows, and where somebody else owns it.
 */
async function findLocalRoot(cwd: string, home: string): Promise<string> {
  if (process.platform === 'win32') return cwd
  const repository = await findRepository(cwd)
  if (repository === undefined) return cwd
  const { root } = repository
  if (root === (await realPathOf(home)) || root === (await realPathOf(cwd))) return cwd
  const owned = await Promise.all([root, join(root, '.git'), join(root, '.claude')].map(isOwn))
  return owned.includes(false) ? cwd : root
}

async function isOwn(path: string): Promise<boolean> {
  const facts = await stat(path).catch(() => undefined)
  return facts === undefined || facts.uid === process.getuid?.()
}

async function managedFiles(folder: string | false): Promise<{ files: string[]; folders: string[] }> {
  if (folder === false) return { files: [], folders: [] }
  const dropIns = join(folder, 'managed-settings.d')
  const names = await readdir(dropIns).catch(() => [])
  const wanted = names.filter((name) => name.endsWith('.json') && !name.startsWith('.'))
  // By code units, so that the order is the same in every locale.
  wanted.sort()
  return {
    files: [join(folder, 'managed-settings.json'), ...wanted.map((name) => join(dropIns, name))],
    folders: [dropIns],
  }
}

/** The documented folder of managed settings on this system. */
export function managedSettingsFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  if (process.platform === 'darwin') return '/Library/Application Support/ClaudeCode'
  if (process.platform === 'win32') return join(env['ProgramFiles'] ?? 'C:\\Program Files', 'ClaudeCode')
  return '/etc/claude-code'
}
