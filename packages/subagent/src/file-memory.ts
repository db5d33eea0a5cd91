import type { FileReadCache, FileReadState } from '@x/contract'

/** What is known of the last `maxFiles` files that were asked for. */
export function createFileMemory(maxFiles = 1_000): FileReadCache {
  const files = new Map<string, FileReadState>()
  return {
    get(path) {
      const state = files.get(path)
      if (state !== undefined) {
        files.delete(path)
        files.set(path, state)
      }
      return state
    },
    set(path, state) {
      files.delete(path)
      files.set(path, state)
      const [oldest] = files.keys()
      if (files.size > maxFiles && oldest !== undefined) files.delete(oldest)
    },
    delete: (path) => void files.delete(path),
    entries: () => files.entries(),
  }
}
