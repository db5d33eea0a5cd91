import { type EffortLevel, toEffortLevel, withoutUndefined } from '@x/contract'
import { hooksSection } from '@x/hooks'
import {
  type PermissionUpdate,
  permissionsSection,
  type ReadPermissions,
  type ReadPermissionsOptions,
  readPermissions,
} from '@x/permissions'
import {
  applyTrust,
  createTrustStore,
  loadSettings,
  isTrusted as mayUse,
  type SettingSource,
  type Settings,
  type SettingsFileChange,
  settingsEnvironment,
  type Trust,
  type TrustedSettings,
  type TrustStore,
  updateSettings,
  watchSettings,
} from '@x/settings'
import { keepOutOfStatus } from '@x/worktree'
import { readHookSettings, type SessionHookSettings } from './hooks/hook-settings.ts'
import { findMisplacedHooks } from './hooks/misplaced-hooks.ts'
import { toSettingsEdits } from './settings-edits.ts'
import { stateFolder } from './state-folder.ts'
import { readWorktreeSettings, type WorktreeSettings } from './worktrees/worktree-settings.ts'

/** Which settings files count for a session. */
export interface SessionSettingsOptions {
  /** Absolute path of the working folder. @default the process's */
  readonly cwd?: string
  /** Where the state and configuration folders are looked up. @default the process's */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The user's home folder. @default the system's */
  readonly home?: string
  /** The folder of managed settings; `false` for none. @default the documented one of this system */
  readonly managedFolder?: string | false
  /** Settings of the command line: a file, JSON text, or a value. They stand above the files but managed ones. */
  readonly flagSettings?: string | object
  /** Which layers are read. @default all */
  readonly sources?: readonly SettingSource[]
  /** Nobody is there who could trust the folder. @default true */
  readonly isHeadless?: boolean
  /** Take the folder for trusted, whatever is remembered. @default what is remembered counts */
  readonly isTrusted?: boolean
}

/** What settings files say about a session. */
export interface SessionSettings {
  /** Rules, mode and folders. */
  readonly permissions: ReadPermissions
  /** The hooks that count. */
  readonly hooks: SessionHookSettings
  /** What counts for MCP servers that the project brings. */
  readonly mcp: {
    /** They may start without a question. */
    readonly isProjectTrusted: boolean
    /** Those that the user rejected, by name. */
    readonly disabledServers: readonly string[]
  }
  /** How worktrees are made. */
  readonly worktree: WorktreeSettings
  /** Instruction files that are not read: `claudeMdExcludes`. */
  readonly memoryExcludes?: readonly string[]
  /** `autoMemoryEnabled`: what is worth keeping for later sessions is kept (true), and read (but for false). A project cannot turn it on. */
  readonly autoMemory?: boolean
  /** The `env` block. */
  readonly env: Readonly<Record<string, string>>
  /** The model to begin with. */
  readonly model?: string
  /** How thorough answers are: `effortLevel`. */
  readonly effort?: EffortLevel
  /** What the user should know: entries that do not count, and why. */
  readonly notices: readonly string[]
  /** What does not count only because the folder is not trusted; a line each, part of `notices`. */
  readonly held: readonly string[]
  /** Writes what an answer changed to the layer it names. */
  remember(updates: readonly PermissionUpdate[]): Promise<void>
  /** Follows the files until it is disposed; keeps no process alive. */
  watch(watcher: SettingsWatcher): Promise<AsyncDisposable>
}

/** Who follows settings files. */
export interface SettingsWatcher {
  /** Is told what counts from now on. */
  readonly onChange: (settings: SessionSettings) => void
  /** Is asked for each changed file before it counts; `'keep'` leaves in memory what it said before. @default every change counts */
  readonly onConfigChange?: (change: SettingsFileChange) => 'apply' | 'keep' | Promise<'apply' | 'keep'>
}

/**
 * Loads the settings files of a folder, with what an untrusted folder may not say taken out.
 *
 * @throws SettingsError if `flagSettings` cannot be read or is not JSON.
 *
 * @example
 * query({ prompt, options: { cwd, settings: await loadSessionSettings({ cwd }) } })
 */
export async function loadSessionSettings(options: SessionSettingsOptions = {}): Promise<SessionSettings> {
  const {
    cwd = process.cwd(),
    env = process.env,
    isHeadless = true,
    isTrusted = false,
    home,
    ...rest
  } = options
  const places = withoutUndefined({ ...rest, cwd, env, home, sections })
  const judged = await openTrustStore({ env, home }).judge(cwd)
  const trust: Trust = { ...judged, ...(isTrusted ? { state: 'trusted' } : {}), isHeadless }
  const read = (loaded: LoadedSettings): SessionSettings => ({
    ...toSessionSettings(applyTrust(loaded, trust), withoutUndefined({ projectDir: cwd, home })),
    mcp: {
      isProjectTrusted: mayUse('mcp-servers', trust),
      disabledServers: textsOf(loaded.value['disabledMcpjsonServers']),
    },
    async remember(updates) {
      for (const [layer, edits] of toSettingsEdits(updates)) {
        const { file, isNew } = await updateSettings(layer, edits, withoutUndefined({ cwd, env, home }))
        // The user's own answers are none of the project's files.
        if (isNew && layer === 'local') await keepOutOfStatus(file)
      }
    },
    watch: ({ onChange, ...doors }) =>
      watchSettings({ ...places, ...doors, onChange: ({ settings }) => onChange(read(settings)) }),
  })
  return read(await loadSettings(places))
}

const sections = { hooks: hooksSection, permissions: permissionsSection }

type LoadedSettings = Settings<typeof sections>

function toSessionSettings(
  { settings, held }: TrustedSettings<typeof sections>,
  places: ReadPermissionsOptions,
): Omit<SessionSettings, 'remember' | 'watch' | 'mcp'> {
  // Layers come strongest first, the files of one layer weakest first.
  const files = settings.layers.flatMap(({ name, files }) =>
    files.toReversed().map(({ path, value }) => ({ layer: name, file: path, value })),
  )
  const permissions = readPermissions(files, places)
  const model = settings.value['model']
  const effort = toEffortLevel(settings.value['effortLevel'])
  const heldLines = held.map(({ message }) => message)
  return {
    permissions,
    hooks: readHookSettings(settings),
    worktree: readWorktreeSettings(settings.value['worktree']),
    ...readExcludes(settings.value['claudeMdExcludes']),
    ...readAutoMemory(files),
    env: settingsEnvironment(settings),
    ...(typeof model === 'string' && model.trim() !== '' ? { model } : {}),
    ...(effort === undefined ? {} : { effort }),
    notices: [
      ...settings.problems.map(({ message }) => message),
      ...findMisplacedHooks(files),
      ...permissions.problems.map(({ file, message }) =>
        file === undefined ? message : `${file}: ${message}`,
      ),
      ...heldLines,
    ],
    held: heldLines,
  }
}

function readExcludes(value: unknown): Pick<SessionSettings, 'memoryExcludes'> {
  return Array.isArray(value) ? { memoryExcludes: textsOf(value) } : {}
}

/** Facts of a project's files would go to the service in requests of their own: only the user starts that. */
function readAutoMemory(
  files: readonly { readonly layer: string; readonly value: Readonly<Record<string, unknown>> }[],
): Pick<SessionSettings, 'autoMemory'> {
  const first = files.find(({ layer, value: { autoMemoryEnabled: isOn } }) => {
    const isOfProject = layer === 'project' || layer === 'local'
    return isOn === false || (isOn === true && !isOfProject)
  })
  return first === undefined ? {} : { autoMemory: first.value['autoMemoryEnabled'] === true }
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
}

/** Remembers that the user trusts the project of a folder. @throws SettingsError if that cannot be written. */
export async function trustFolder({
  cwd = process.cwd(),
  env = process.env,
  home,
}: Pick<SessionSettingsOptions, 'cwd' | 'env' | 'home'> = {}): Promise<void> {
  await openTrustStore({ env, home }).trust(cwd)
}

function openTrustStore({
  env,
  home,
}: {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string | undefined
}): TrustStore {
  return createTrustStore(withoutUndefined({ stateFolder: stateFolder(env), home }))
}
