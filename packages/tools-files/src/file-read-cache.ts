import type { FileReadCache, FileReadState } from '@x/contract'

/** Settings of {@link createFileReadCache}. */
export interface FileReadCacheOptions {
  /** Most files remembered; the one not used for longest goes first. @default 1000 */
  readonly maxEntries?: number
}

/** The memory of a session, for whoever keeps its conversation. */
export interface SessionFileCache extends FileReadCache {
  /** The files that were read or written, the one used last first. Absolute paths. */
  recent(): readonly string[]
  /** The conversation no longer holds what was read: Read gives it again, and Edit goes on. */
  forgetContent(): void
}

/**
 * Makes the memory of what a session has read and written.
 *
 * A forgotten file only has to be read again before it can be edited.
 *
 * @throws RangeError if `maxEntries` is not a positive integer.
 */
export function createFileReadCache({ maxEntries = 1000 }: FileReadCacheOptions = {}): SessionFileCache {
  if (!Number.isInteger(maxEntries) || maxEntries < 1) {
    throw new RangeError(`maxEntries must be a positive integer, got ${maxEntries}`)
  }
  // A map keeps the order of insertion: oldest first.
  const entries = new Map<string, FileReadState>()
  const put = (path: string, state: FileReadState): void => {
    entries.delete(path)
    entries.set(path, state)
  }
  return {
    get: (path) => {
      const state = entries.get(path)
      if (state !== undefined) put(path, state)
      return state
    },
    set: (path, state) => {
      put(path, state)
      const [oldest] = entries.keys()
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
    },
    delete: (path) => {
      entries.delete(path)
    },
    recent: () => [...entries.keys()].toReversed(),
    entries: () => entries.entries(),
    forgetContent: () => {
      for (const [path, state] of entries)
        if (state.source === 'read') entries.set(path, { ...state, source: 'write' })
    },
  }
}
