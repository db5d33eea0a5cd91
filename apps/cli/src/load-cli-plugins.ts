import { type LoadedPlugins, loadPlugins } from '@x/session'
import { toExistingFolder } from './to-existing-folder.ts'

/** Loads the plugins of `--plugin-dir`; undefined where none is named. @throws TypeError for a folder that does not exist. */
export async function loadCliPlugins(folders: readonly string[]): Promise<LoadedPlugins | undefined> {
  if (folders.length === 0) return undefined
  return loadPlugins(folders.map((folder) => toExistingFolder('--plugin-dir', folder)))
}
