import { isAbsolute, resolve } from 'node:path'
import type { SessionRecord } from '@x/contract'
import { notice } from '../notice.ts'
import type { EnvironmentFile } from './environment-file.ts'
import { createFileWatch, type FileChange, type FileWatch } from './file-watch.ts'
import type { SessionHooks } from './session-hooks.ts'

/** Tells hooks of a working folder that moved, and of watched files that changed. Disposing ends the watching. */
export interface WatchedPlaces extends AsyncDisposable {
  /** The working folder as it was last told of. */
  readonly cwd: string
  /** Puts the working folder somewhere else before anything begins; no hook is told. */
  beginIn(cwd: string): void
  /** Begins to watch; `dynamic` are the paths that hooks have asked for. */
  begin(dynamic: readonly string[]): Promise<void>
  /** Tells the hooks if the folder is another; resolves when they have been heard. */
  moveTo(cwd: string, signal?: AbortSignal): Promise<void>
}

/** What it is made of. */
export interface WatchedPlacesFacts {
  readonly hooks: SessionHooks
  readonly environment: EnvironmentFile
  /** The folder the session begins in. */
  readonly cwd: string
  /** Shows something to the user. */
  readonly tell: (record: SessionRecord) => void
  /** Aborts when the session ends. */
  readonly signal: AbortSignal
}

/** Makes it; nothing is watched before `begin`. */
export function createWatchedPlaces(facts: WatchedPlacesFacts): WatchedPlaces {
  return new SessionPlaces(facts)
}

class SessionPlaces implements WatchedPlaces {
  readonly #facts: WatchedPlacesFacts
  #cwd: string
  /** What hooks have asked to watch. */
  #dynamic: readonly string[] = []
  #watch: FileWatch | undefined
  #isClosed = false
  #lastMove: Promise<void> = Promise.resolve()

  constructor(facts: WatchedPlacesFacts) {
    this.#facts = facts
    this.#cwd = facts.cwd
  }

  get cwd(): string {
    return this.#cwd
  }

  beginIn(cwd: string): void {
    this.#cwd = cwd
  }

  async begin(dynamic: readonly string[]): Promise<void> {
    this.#dynamic = dynamic
    await this.#aim()
  }

  moveTo(folder: string, signal?: AbortSignal): Promise<void> {
    // One after the other: two calls may see the new folder at once.
    // What goes wrong must not keep the guards of a call from running.
    this.#lastMove = this.#lastMove
      .then(() => this.#move(folder, signal))
      .catch((error) => this.#tellFault(error))
    return this.#lastMove
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await this.#watch?.[Symbol.asyncDispose]()
  }

  async #move(folder: string, signal: AbortSignal | undefined): Promise<void> {
    if (folder === this.#cwd) return
    const { hooks, environment } = this.#facts
    const old = this.#cwd
    this.#cwd = folder
    const result = await hooks.run('CwdChanged', { cwd: folder, old_cwd: old, new_cwd: folder }, signal)
    await environment.keep('CwdChanged', result?.envText)
    this.#dynamic = result?.fields.watchPaths ?? this.#dynamic
    await this.#aim()
  }

  async #tellOf({ path, event }: FileChange): Promise<void> {
    const { hooks, environment, signal } = this.#facts
    const result = await hooks.run('FileChanged', { cwd: this.#cwd, file_path: path, event }, signal)
    await environment.keep('FileChanged', result?.envText)
    if (result?.fields.watchPaths !== undefined) await this.begin(result.fields.watchPaths)
  }

  #tellFault(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error)
    this.#facts.tell(notice(`What hooks of places said could not be kept: ${why}`, 'warning'))
  }

  async #aim(): Promise<void> {
    const { hooks } = this.#facts
    const names = hooks.hooks.has('FileChanged') ? [...literalNames(hooks), ...this.#dynamic] : []
    const paths = new Set(names.map((path) => (isAbsolute(path) ? path : resolve(this.#cwd, path))))
    if (this.#isClosed || (paths.size === 0 && this.#watch === undefined)) return
    this.#watch ??= await createFileWatch((change) => {
      this.#tellOf(change).catch((error: unknown) => this.#tellFault(error))
    })
    // It may have been closed while the watcher was loaded.
    if (this.#isClosed) await this.#watch[Symbol.asyncDispose]()
    else this.#watch.aim([...paths])
  }
}

/** A matcher of FileChanged is also the list of files to watch: its parts are names, whatever they look like. */
function literalNames({ hooks }: SessionHooks): readonly string[] {
  return hooks.handlers
    .filter(({ event }) => event === 'FileChanged')
    .flatMap(({ matcher }) => (matcher ?? '').split('|').map((name) => name.trim()))
    .filter((name) => name !== '')
}
