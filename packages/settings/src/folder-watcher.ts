import { type FSWatcher, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

/** Watches for files that may come, go and be replaced, with their folders. */
export interface FolderWatcher {
  /** Watches for these paths and no others; a name `*` stands for everything in its folder. */
  aim(paths: readonly string[]): Promise<void>
  /** Stops watching; harmless when done twice. */
  close(): void
}

/**
 * Makes a watcher that calls `onEvent` after anything may have happened to its paths. What does not exist is waited for in the nearest
 * folder above it. Where the system cannot watch a folder, nothing is said: the caller looks for itself from time to time.
 */
export function createFolderWatcher(onEvent: () => void): FolderWatcher {
  const open = new Map<string, OpenWatch>()
  let isClosed = false

  const drop = (folder: string): void => {
    open.get(folder)?.watcher.close()
    open.delete(folder)
  }
  const add = ({ folder, identity, names }: WatchGoal): void => {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (mayMatter(open.get(folder)?.names, folder, name)) onEvent()
      })
      // A folder that was removed reports an error on some systems; the next aim finds what is there now.
      watcher.on('error', () => {
        drop(folder)
        onEvent()
      })
      open.set(folder, { watcher, identity, names })
    } catch {
      // Too many watches, or gone meanwhile.
    }
  }
  const aimOnce = async (paths: readonly string[]): Promise<boolean> => {
    const goals = await findGoals(paths)
    if (isClosed) return true
    for (const [folder, { identity }] of open) if (goals.get(folder)?.identity !== identity) drop(folder)
    for (const goal of goals.values()) {
      const known = open.get(goal.folder)
      if (known !== undefined) known.names = goal.names
    }
    const missing = [...goals.values()].filter(({ folder }) => !open.has(folder))
    for (const goal of missing) add(goal)
    return missing.length === 0
  }

  return {
    // What appeared between looking and watching is seen by looking again.
    aim: async (paths) => {
      for (let round = 0; round < maxRounds; round += 1) if (await aimOnce(paths)) return
    },
    close: () => {
      isClosed = true
      for (const folder of open.keys()) drop(folder)
    },
  }
}

/** Where a watch cannot be made, more rounds do not help. */
const maxRounds = 3

interface WatchGoal {
  readonly folder: string
  /** Another folder of the same name has another one. */
  readonly identity: string
  /** The names in the folder that matter. */
  readonly names: ReadonlySet<string>
}

interface OpenWatch {
  readonly watcher: FSWatcher
  readonly identity: string
  names: ReadonlySet<string>
}

/** A state folder is busy, and so may be a project: only names on the way to a file matter, and the folder itself. */
function mayMatter(names: ReadonlySet<string> | undefined, folder: string, name: string | null): boolean {
  if (names === undefined || name === null) return true
  return names.has('*') || names.has(name) || name === basename(folder)
}

async function findGoals(paths: readonly string[]): Promise<ReadonlyMap<string, WatchGoal>> {
  const goals = new Map<string, WatchGoal>()
  for (const { folder, identity, name } of await Promise.all(paths.map(nearestFolder))) {
    const names = new Set([...(goals.get(folder)?.names ?? []), name])
    goals.set(folder, { folder, identity, names })
  }
  return goals
}

async function nearestFolder(path: string): Promise<{ folder: string; identity: string; name: string }> {
  for (let below = path; ; below = dirname(below)) {
    const folder = dirname(below)
    const facts = await stat(folder).catch(() => undefined)
    const name = basename(below)
    if (facts?.isDirectory() === true) return { folder, name, identity: `${facts.dev}:${facts.ino}` }
    if (dirname(folder) === folder) return { folder, name, identity: '' }
  }
}
