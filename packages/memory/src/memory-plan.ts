import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { compileExcludes } from './excludes.ts'
import type { MemoryProblem } from './memory-file.ts'
import type { ImportRequest, MemoryOptions, MemorySource } from './memory-options.ts'
import { foldersDownTo, realPathOf } from './paths.ts'

/** Where everything is. */
interface MemoryPlaces {
  readonly cwd: string
  readonly home: string
  /** The real path of the start folder. */
  readonly realCwd: string
  /** Folders with the user's own files, the stronger first: `~/.x`, `~/.claude`. */
  readonly userFolders: readonly string[]
  /** Their real paths. */
  readonly realUserFolders: ReadonlySet<string>
  /** Folders from the root down to the start folder. */
  readonly folders: readonly string[]
  /** Additional directories whose files load. */
  readonly addedFolders: readonly string[]
  /** Real paths of all folders that imports may lead to. */
  readonly workingFolders: readonly string[]
  readonly managedFile: string | undefined
}

/** Options with their defaults, and what follows from them. */
export interface MemoryPlan extends MemoryPlaces {
  readonly managedText: string | undefined
  readonly autoFolder: string | undefined
  /** What is wrong with the options. */
  readonly problems: readonly MemoryProblem[]
  has(source: MemorySource): boolean
  isExcluded(path: string): boolean
  isApproved(request: ImportRequest): boolean | Promise<boolean>
}

/** Settles what the options leave open. */
export async function makePlan(options: MemoryOptions): Promise<MemoryPlan> {
  const { cwd = process.cwd(), home = homedir(), env = process.env, sources = allSources } = options
  const places = await findPlaces({ ...options, cwd: resolve(cwd), home: resolve(home), env })
  const { isExcluded, problems } = compileExcludes(options.excludes ?? [], places.home)
  return {
    ...places,
    managedText: options.managedText,
    autoFolder: autoFolderOf(options, env),
    problems,
    has: (source) => sources.includes(source),
    isExcluded,
    isApproved: options.isApproved ?? (() => false),
  }
}

const allSources: readonly MemorySource[] = ['user', 'project', 'local']

type Env = NonNullable<MemoryOptions['env']>

type PlaceOptions = MemoryOptions & { readonly cwd: string; readonly home: string; readonly env: Env }

async function findPlaces(options: PlaceOptions): Promise<MemoryPlaces> {
  const { cwd, home, env, additionalDirectories = [], managedFolder = defaultManagedFolder(env) } = options
  const added = additionalDirectories.map((folder) => resolve(cwd, folder))
  const userFolders = [
    resolve(env['X_HOME'] || join(home, '.x')),
    resolve(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude')),
  ]
  const [realCwd = cwd, ...realAdded] = await Promise.all([cwd, ...added].map(realPathOf))
  return {
    cwd,
    home,
    realCwd,
    userFolders,
    realUserFolders: new Set(await Promise.all(userFolders.map(realPathOf))),
    folders: foldersDownTo(cwd),
    addedFolders: isOn(env['CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD']) ? added : [],
    workingFolders: [realCwd, ...realAdded],
    managedFile: managedFolder === false ? undefined : join(resolve(managedFolder), 'CLAUDE.md'),
  }
}

function autoFolderOf(
  { autoMemory }: MemoryOptions,
  env: NonNullable<MemoryOptions['env']>,
): string | undefined {
  if (autoMemory === undefined || autoMemory === false) return undefined
  return isOn(env['CLAUDE_CODE_DISABLE_AUTO_MEMORY']) ? undefined : resolve(autoMemory.folder)
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && /^(?:1|true|yes|on)$/i.test(value.trim())
}

function defaultManagedFolder(env: Env): string {
  if (process.platform === 'darwin') return '/Library/Application Support/ClaudeCode'
  if (process.platform === 'win32') return join(env['ProgramFiles'] ?? 'C:\\Program Files', 'ClaudeCode')
  return '/etc/claude-code'
}
