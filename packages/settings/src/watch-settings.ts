import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createTracker, type TrackerOptions } from './change-tracker.ts'
import { createFolderWatcher } from './folder-watcher.ts'
import { realPathOf } from './git-root.ts'
import { type ReadLayers, readFlagLayer, readLayers, type SettingsOptions } from './load-settings.ts'
import type { Settings } from './settings.ts'
import type { SettingsSections } from './settings-file.ts'
import type { SettingsPlaces } from './settings-places.ts'
import { createSettler } from './settler.ts'

/** How to watch settings. */
export interface WatchSettingsOptions<Sections extends SettingsSections = SettingsSections>
  extends SettingsOptions<Sections>,
    TrackerOptions<Sections> {
  /** How long files must be quiet before they are read, in milliseconds. @default 100 */
  readonly settleMs?: number
  /** How often to look without an event, in milliseconds, for where the system tells none; 0 for never. @default 2000 */
  readonly pollMs?: number
}

/** Settings that follow their files. */
export interface WatchedSettings<Sections extends SettingsSections> extends AsyncDisposable {
  /** What counts now. */
  readonly current: Settings<Sections>
  /** Reads the files now, without waiting for an event. Resolves when what they say counts. */
  refresh(): Promise<void>
}

/**
 * Loads settings and follows their files: written in place or replaced, removed and made, with their folders, and through links.
 *
 * A file counts as changed when its text has changed. After dispose nothing is called, and no watch or timer is left; none of them keeps
 * the process alive.
 *
 * @throws SettingsError if `flagSettings` cannot be read; they are read once.
 */
export async function watchSettings<Sections extends SettingsSections = SettingsSections>(
  options: WatchSettingsOptions<Sections>,
): Promise<WatchedSettings<Sections>> {
  const { settleMs = 100, pollMs = 2000, cwd = process.cwd() } = options
  const fixed = { ...options, cwd }
  const flag = await readFlagLayer(fixed)
  const watcher = createFolderWatcher(() => settler.poke())
  const onPlaces = async (places: SettingsPlaces): Promise<void> => watcher.aim(await pathsOf(places))
  const read = (): Promise<ReadLayers> => readLayers(fixed, { flag, onPlaces })
  const tracker = createTracker(fixed, await read())
  const settler = createSettler({
    settleMs,
    pollMs,
    // The reading itself never rejects; what callbacks throw is told to `onError`.
    run: async () => {
      const next = await read()
      const isRash = tracker.looksUnfinished(next) && (await pause(graceFactor * settleMs, tracker.signal))
      await tracker.take(isRash ? await read() : next)
    },
  })
  settler.start()
  return {
    get current() {
      return tracker.current()
    },
    refresh: settler.runNow,
    [Symbol.asyncDispose]: async () => {
      tracker.close()
      watcher.close()
      await settler.stop()
    },
  }
}

/** Who empties a file to write it anew needs a moment. */
const graceFactor = 3

/** What an event may be about: the files, what links lead to, and whatever appears where any file may. */
async function pathsOf({ files, folders }: SettingsPlaces): Promise<readonly string[]> {
  const paths = files.map(({ path }) => path)
  const real = await Promise.all(paths.map(realPathOf))
  return [...new Set([...paths, ...real, ...folders.map((folder) => join(folder, '*'))])]
}

async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return delay(ms, true, { signal, ref: false }).catch(() => false)
}
