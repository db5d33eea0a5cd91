import { realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { AgentSource } from './definition.ts'

/** A folder that agent files may stand in. */
export interface AgentFolder {
  /** Absolute path; may be that of one file. */
  readonly path: string
  /** What its files count as. */
  readonly source: AgentSource
  /** The folder that has to be trusted for what its files may start. */
  readonly owner: string
  /** The plugin it belongs to. */
  readonly plugin?: string
}

/** Where to look. */
export interface FolderOptions {
  /** The folder the session starts in. */
  readonly cwd: string
  /** The user's own folders, the strongest first. */
  readonly userFolders: readonly string[]
  /** The managed settings folder. */
  readonly managedFolder?: string
  /** Folders of `--add-dir`. */
  readonly additionalDirectories: readonly string[]
  /** Plugins by name and folder. */
  readonly plugins: readonly AgentPlugin[]
  /** What is looked for: the folders have this name. @default 'agents' */
  readonly holds?: 'agents' | 'skills'
}

/** A plugin that may bring agents. */
export interface AgentPlugin {
  /** Its name, the first part of its agents' names. */
  readonly name: string
  /** Absolute path of its folder; agents stand in `agents/` there, skills in `skills/`. */
  readonly folder: string
  /** Absolute paths of further agent files, or folders of them. @default none */
  readonly more?: readonly string[]
}

/** `.x` beats `.claude` where both hold an agent of one name. */
const folderNames = ['.x', '.claude'] as const

/** Lists the folders of each source, the strongest first. They need not exist. */
export async function listAgentFolders(options: FolderOptions): Promise<readonly AgentFolder[]> {
  const { userFolders, managedFolder, plugins, additionalDirectories, holds = 'agents' } = options
  const toFolder = (folder: string, source: AgentSource): AgentFolder => {
    return { path: join(folder, holds), source, owner: dirname(folder) }
  }
  const taken = new Set(await Promise.all(userFolders.map(realPathOf)))
  const projects = [
    ...(await foldersUpToRoot(options.cwd)),
    ...additionalDirectories.map((dir) => resolve(dir)),
  ]
  const managed = managedFolder === undefined ? [] : folderNames.map((name) => join(managedFolder, name))
  return [
    ...managed.map((folder) => toFolder(folder, 'managed')),
    ...(await notTaken(projects, taken)).map((folder) => toFolder(folder, 'project')),
    ...userFolders.map((folder) => toFolder(folder, 'user')),
    ...plugins.flatMap(({ name, folder, more = [] }) => {
      const usual = { ...toFolder(folder, 'plugin'), plugin: name }
      return [usual, ...(holds === 'agents' ? more.map((path) => ({ ...usual, path })) : [])]
    }),
  ]
}

/** In the home folder, the user's own files are no project's. */
async function notTaken(projects: readonly string[], taken: ReadonlySet<string>): Promise<readonly string[]> {
  const folders = projects.flatMap((project) => folderNames.map((name) => join(project, name)))
  const real = await Promise.all(folders.map(realPathOf))
  return folders.filter((_folder, index) => !taken.has(real[index] ?? ''))
}

/** From the folder up to the top of its checkout, nearest first; outside of a repository the folder alone. */
async function foldersUpToRoot(cwd: string): Promise<readonly string[]> {
  const start = resolve(cwd)
  const folders: string[] = []
  for (let folder = start; ; folder = dirname(folder)) {
    folders.push(folder)
    // A worktree and a submodule have a file there.
    if ((await stat(join(folder, '.git')).catch(() => undefined)) !== undefined) return folders
    if (dirname(folder) === folder) return [start]
  }
}

async function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path))
}
