import { isAbsolute, resolve } from 'node:path'
import type { SessionRecord } from '@x/contract'
import type { EnvironmentFile } from './environment-file.ts'
import { createFileWatch, type FileChange, type FileWatch } from './file-watch.ts'
import type { SessionHooks } from './session-hooks.ts'

/** Tells hooks of a working folder that moved, and of watched files that changed. Disposing ends the watching. */
export interface WatchedPlaces extends AsyncDisposable {
  /** The working folder as it was last told of. */
  readonly cwd: string
  /** Begins to watch; `dynamic` are the paths that hooks have asked for. */
  begin(dynamic: readonly string[]): Promise<void>
  /** Tells the hooks if the folder is another; resolves when they have been heard. */
  moveTo(cwd: string, signal?: AbortSignal): Promise<void>
}

/** What it is made of. */
export interface WatchedPlacesFacts {
  readonly hooks: SessionHooks
  readonly environment: EnvironmentFile
  readonly cwd: string
  tell(record: SessionRecord): void
}

/** Makes it; nothing is watched before `begin`. */
export function createWatchedPlaces(facts: WatchedPlacesFacts): WatchedPlaces {
  const { hooks, environment } = facts
  let cwd = facts.cwd
  let dynamic: readonly string[] = []
  let watch: FileWatch | undefined
  let isClosed = false
  let last: Promise<void> = Promise.resolve()

  async function aim(): Promise<void> {
    const paths = hooks.hooks.has('FileChanged') ? [...literalNames(hooks), ...dynamic] : []
    const wanted = [...new Set(paths.map((path) => (isAbsolute(path) ? path : resolve(cwd, path))))]
    if (isClosed || (wanted.length === 0 && watch === undefined)) return
    watch ??= await createFileWatch((change) => void tellOf(change))
    // Closed while the watcher was loaded.
    if (isClosed) await watch[Symbol.asyncDispose]()
    else watch.aim(wanted)
  }

  async function tellOf({ path, event }: FileChange): Promise<void> {
    const result = await hooks.run('FileChanged', { cwd, file_path: path, event })
    await environment.keep('FileChanged', result?.envText)
    await follow(result?.fields.watchPaths)
  }

  async function follow(paths: readonly string[] | undefined): Promise<void> {
    if (paths === undefined) return
    dynamic = paths
    await aim()
  }

  async function move(next: string, signal: AbortSignal | undefined): Promise<void> {
    if (next === cwd) return
    const old = cwd
    cwd = next
    const result = await hooks.run('CwdChanged', { cwd: next, old_cwd: old, new_cwd: next }, signal)
    await environment.keep('CwdChanged', result?.envText)
    dynamic = result?.fields.watchPaths ?? dynamic
    await aim()
  }

  return {
    get cwd() {
      return cwd
    },
    async begin(paths) {
      dynamic = paths
      await aim()
    },
    moveTo(next, signal) {
      // One after the other: two calls may see the new folder at once.
      last = last.then(() => move(next, signal))
      return last
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      await watch?.[Symbol.asyncDispose]()
    },
  }
}

/** A matcher of FileChanged is also the list of files to watch: its parts are names, whatever they look like. */
function literalNames({ hooks }: SessionHooks): readonly string[] {
  return hooks.handlers
    .filter(({ event }) => event === 'FileChanged')
    .flatMap(({ matcher }) => (matcher ?? '').split('|').map((name) => name.trim()))
    .filter((name) => name !== '')
}
