import type { LayerName } from './layers.ts'
import type { ReadLayers } from './load-settings.ts'
import { buildSettings, type Settings } from './settings.ts'
import type { CheckedFile, SettingsSections } from './settings-file.ts'

/** A settings file that was written, made or removed. */
export interface SettingsFileChange {
  /** The layer of the file. */
  readonly layer: LayerName
  /** The file. */
  readonly file: string
  /** What a ConfigChange hook calls the layer. */
  readonly source: 'user_settings' | 'project_settings' | 'local_settings' | 'policy_settings'
}

/** New settings, and what made them. */
export interface SettingsChange<Sections extends SettingsSections> {
  /** What counts from now on. */
  readonly settings: Settings<Sections>
  /** What counted before. */
  readonly previous: Settings<Sections>
  /** The layers that changed. */
  readonly layers: readonly LayerName[]
  /** The files that changed and were applied. */
  readonly files: readonly SettingsFileChange[]
}

/** Who is told of changes. */
export interface TrackerOptions<Sections extends SettingsSections> {
  /** Is told new settings. Is not awaited; a throw goes to `onError`. */
  readonly onChange: (change: SettingsChange<Sections>) => void
  /**
   * Is asked for each changed file before it counts (the door for ConfigChange hooks); `'keep'` leaves in memory what the file said
   * before. Managed files are told of and cannot be kept out. Is awaited, and nothing else is read meanwhile; a throw counts as
   * `'apply'` and goes to `onError`. @default every change is applied
   */
  readonly onConfigChange?: (change: SettingsFileChange) => 'apply' | 'keep' | Promise<'apply' | 'keep'>
  /** Is told what a callback threw. @default nobody is told */
  readonly onError?: (error: unknown) => void
}

/** Holds what counts, and takes over what was read anew. */
export interface Tracker<Sections extends SettingsSections> {
  /** What counts now. */
  readonly current: () => Settings<Sections>
  /** A file that said something is suddenly empty or broken, as if somebody were about to write it. */
  readonly looksUnfinished: (next: ReadLayers) => boolean
  /** Asks about each change and applies what may be. */
  readonly take: (next: ReadLayers) => Promise<void>
  /** Aborts when closed. */
  readonly signal: AbortSignal
  /** Nothing is asked or told any more. */
  readonly close: () => void
}

/** Makes a {@link Tracker} that begins with these files. */
export function createTracker<Sections extends SettingsSections>(
  options: TrackerOptions<Sections>,
  first: ReadLayers,
): Tracker<Sections> {
  const closing = new AbortController()
  const report = (error: unknown): void =>
    attempt(
      () => options.onError?.(error),
      () => {},
    )
  let seen = fingerprintsOf(first.files)
  let files = first.files
  let settings = buildSettings<Sections>({ files, targets: first.places.targets })

  return {
    current: () => settings,
    signal: closing.signal,
    close: () => closing.abort(),
    looksUnfinished: (next) => {
      const changed = new Set(changesBetween(seen, next.files, files).map(({ file }) => file))
      return next.files.some((file) => changed.has(file.path) && isUnfinished(file))
    },
    take: async (next) => {
      const changes = changesBetween(seen, next.files, files)
      const applied: SettingsFileChange[] = []
      for (const change of changes) {
        if (await mayApply(change, options, report)) applied.push(change)
      }
      if (closing.signal.aborted || changes.length === 0) return
      seen = fingerprintsOf(next.files)
      files = mix(files, next.files, new Set(applied.map(({ file }) => file)))
      if (applied.length === 0) return
      const previous = settings
      settings = buildSettings<Sections>({ files, targets: next.places.targets })
      const layers = [...new Set(applied.map(({ layer }) => layer))]
      attempt(() => options.onChange({ settings, previous, layers, files: applied }), report)
    },
  }
}

/** What a file said when it was last looked at, whether that counts or not. */
type Fingerprints = ReadonlyMap<string, string>

function fingerprintsOf(files: readonly CheckedFile[]): Fingerprints {
  return new Map(files.map((file) => [file.path, fingerprintOf(file)]))
}

function fingerprintOf({ exists, text, problems }: CheckedFile): string {
  return text === undefined ? `${exists}:${problems[0]?.message ?? ''}` : `text:${text}`
}

const absent = 'false:'

function changesBetween(
  seen: Fingerprints,
  next: readonly CheckedFile[],
  old: readonly CheckedFile[],
): readonly SettingsFileChange[] {
  const now = fingerprintsOf(next)
  const gone = old.filter(({ path }) => !now.has(path))
  return [...next, ...gone].flatMap(({ layer, path }) => {
    const source = layer === 'command-line' ? undefined : sources[layer]
    const isSame = (seen.get(path) ?? absent) === (now.get(path) ?? absent)
    return isSame || source === undefined ? [] : [{ layer, file: path, source }]
  })
}

const sources = {
  user: 'user_settings',
  project: 'project_settings',
  local: 'local_settings',
  managed: 'policy_settings',
} as const

function isUnfinished({ exists, text, problems }: CheckedFile): boolean {
  return !exists || text?.trim() === '' || problems.some(({ kind }) => kind === 'syntax')
}

async function mayApply<Sections extends SettingsSections>(
  change: SettingsFileChange,
  { onConfigChange }: TrackerOptions<Sections>,
  report: (error: unknown) => void,
): Promise<boolean> {
  try {
    const answer = await onConfigChange?.(change)
    return answer !== 'keep' || change.layer === 'managed'
  } catch (error) {
    report(error)
    return true
  }
}

/** The new files where a change was applied, the old ones everywhere else: one that was kept out before stays so. */
function mix(
  old: readonly CheckedFile[],
  next: readonly CheckedFile[],
  applied: ReadonlySet<string>,
): readonly CheckedFile[] {
  const known = new Map(old.map((file) => [file.path, file]))
  return next.map((file) => (applied.has(file.path) ? file : (known.get(file.path) ?? file)))
}

function attempt(work: () => void, report: (error: unknown) => void): void {
  try {
    work()
  } catch (error) {
    report(error)
  }
}
