import { type FSWatcher, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Watches folders that may come, go and be replaced. */
export interface FolderWatcher {
  /** Watches these folders, or what exists above them, and no others. */
  aim(folders: readonly string[]): Promise<void>
  /** Stops watching; harmless when done twice. */
  close(): void
}

/**
 * Makes a watcher that calls `onEvent` after anything may have happened in its folders. A folder that does not exist is waited for in the
 * nearest one above it. Where the system cannot watch a folder, nothing is said: the caller looks for itself from time to time.
 */
export function createFolderWatcher(onEvent: () => void): FolderWatcher {
  const open = new Map<string, { watcher: FSWatcher; identity: string }>()
  let isClosed = false

  const drop = (folder: string): void => {
    open.get(folder)?.watcher.close()
    open.delete(folder)
  }
  const add = (folder: string, identity: string): void => {
    try {
      const watcher = watch(folder, { persistent: false }, () => onEvent())
      // A folder that was removed reports an error on some systems; the next aim finds what is there now.
      watcher.on('error', () => {
        drop(folder)
        onEvent()
      })
      open.set(folder, { watcher, identity })
    } catch {
      // Too many watches, or gone meanwhile.
    }
  }
  const aimOnce = async (folders: readonly string[]): Promise<boolean> => {
    const found = new Map(await Promise.all(folders.map(nearestFolder)))
    if (isClosed) return true
    for (const [folder, { identity }] of open) if (found.get(folder) !== identity) drop(folder)
    const missing = [...found].filter(([folder]) => !open.has(folder))
    for (const [folder, identity] of missing) add(folder, identity)
    return missing.length === 0
  }

  return {
    // What appeared between looking and watching is seen by looking again.
    aim: async (folders) => {
      for (let round = 0; round < maxRounds; round += 1) if (await aimOnce(folders)) return
    },
    close: () => {
      isClosed = true
      for (const folder of open.keys()) drop(folder)
    },
  }
}

/** Where a watch cannot be made, more rounds do not help. */
const maxRounds = 3

async function nearestFolder(folder: string): Promise<[string, string]> {
  for (let path = folder; ; path = dirname(path)) {
    const facts = await stat(path).catch(() => undefined)
    if (facts?.isDirectory() === true) return [path, `${facts.dev}:${facts.ino}`]
    if (dirname(path) === path) return [path, '']
  }
}
