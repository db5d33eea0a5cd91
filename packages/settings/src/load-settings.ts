import { resolve } from 'node:path'
import { readFlagSettings } from './flag-settings.ts'
import type { SettingSource } from './layers.ts'
import { buildSettings, type Settings } from './settings.ts'
import { type CheckedFile, checkText, readSettingsFile, type SettingsSections } from './settings-file.ts'
import { findPlaces, type SettingsPlaces } from './settings-places.ts'

/** Where settings come from. */
export interface SettingsOptions<Sections extends SettingsSections = SettingsSections> {
  /** The folder the session starts in. @default process.cwd() */
  readonly cwd?: string
  /** The user's home folder. @default os.homedir() */
  readonly home?: string
  /** `CLAUDE_CONFIG_DIR` moves `~/.claude` and `X_HOME` moves `~/.x`. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The folder of managed settings; `false` for none. @default the documented one of this system */
  readonly managedFolder?: string | false
  /** Managed settings that came by another way; if they hold any key, managed files are not read. @default none */
  readonly managedSettings?: object
  /** Settings of the command line: a file, JSON text that begins with a brace, or a value. @default none */
  readonly flagSettings?: string | object
  /** Which of these layers are read; managed and command line settings always are. @default all three */
  readonly sources?: readonly SettingSource[]
  /** Schemas of sections by key; they check what the files say and change nothing. @default none */
  readonly sections?: Sections
}

/**
 * Reads, checks and merges all settings that count for a folder.
 *
 * Whatever is wrong in a file is a problem in the result, costs only its own entry, and never rejects.
 *
 * @throws SettingsError if `flagSettings` cannot be read or is not JSON.
 *
 * @example
 * const settings = await loadSettings({ cwd })
 * console.log(settings.value, settings.explain('permissions.defaultMode')[0]?.file)
 */
export async function loadSettings<Sections extends SettingsSections = SettingsSections>(
  options: SettingsOptions<Sections> = {},
): Promise<Settings<Sections>> {
  const flag = await readFlagLayer(options)
  const { files, places } = await readLayers(options, { flag })
  return buildSettings<Sections>({ files, targets: places.targets })
}

/** What was read, before it is merged. */
export interface ReadLayers {
  /** The weakest first. */
  readonly files: readonly CheckedFile[]
  /** Where it was looked for. */
  readonly places: SettingsPlaces
}

/** What reading layers needs beside the options. */
export interface ReadLayersContext {
  /** The settings of the command line, which do not change. */
  readonly flag: readonly CheckedFile[]
  /** Is awaited before any file is read. */
  readonly onPlaces?: (places: SettingsPlaces) => Promise<void>
}

/** Reads the settings of the command line. Rejects if they were asked for and cannot be read. */
export async function readFlagLayer(options: SettingsOptions): Promise<readonly CheckedFile[]> {
  const { cwd = process.cwd(), flagSettings, sections = {} } = options
  return flagSettings === undefined ? [] : [await readFlagSettings(flagSettings, resolve(cwd), sections)]
}

/** Reads all files of the other layers. */
export async function readLayers(options: SettingsOptions, context: ReadLayersContext): Promise<ReadLayers> {
  const { env = process.env, managedSettings, sections = {} } = options
  const isDelivered = managedSettings !== undefined && Object.keys(managedSettings).length > 0
  const places = await findPlaces({ ...options, env, ...(isDelivered ? { managedFolder: false } : {}) })
  await context.onPlaces?.(places)
  const read = await Promise.all(places.files.map((place) => readSettingsFile(place, sections)))
  const weaker = read.filter(({ layer }) => layer !== 'managed')
  const managed = isDelivered
    ? [checkManaged(managedSettings, sections)]
    : read.filter(({ layer }) => layer === 'managed')
  return { files: [...weaker, ...context.flag, ...managed], places }
}

function checkManaged(value: object, sections: SettingsSections): CheckedFile {
  const text = JSON.stringify(value, undefined, 2)
  return checkText({ layer: 'managed', path: 'managed settings' }, text, sections)
}
