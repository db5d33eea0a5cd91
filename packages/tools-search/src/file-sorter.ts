import type { Search } from './run-search.ts'

/** Takes files as they are found and hands them back in order. */
export interface FileSorter {
  /** Files taken. */
  readonly count: number
  /** Takes one. */
  add(file: string): void
  /** All of them, those that were changed last first, those of the same time by name. */
  sort(): Promise<readonly string[]>
}

/** Small enough not to hold up the host, which may look at the files while ripgrep goes on finding more. */
const BATCH = 256

/** Starts without files. */
export function createFileSorter({ settings, signal }: Search): FileSorter {
  const files: string[] = []
  const times: Promise<readonly number[]>[] = []
  let asked = 0
  const ask = (): void => {
    const batch = settings.operations.modifiedTimes(files.slice(asked), signal)
    asked = files.length
    // Awaited only at the end: until then a failure must not count as unhandled.
    batch.catch(() => {})
    times.push(batch)
  }
  return {
    get count() {
      return files.length
    },
    add(file) {
      files.push(file)
      if (files.length - asked >= BATCH) ask()
    },
    async sort() {
      ask()
      const known = (await Promise.all(times)).flat()
      return files
        .map((file, index) => ({ file, time: known[index] ?? 0 }))
        .toSorted((one, other) => other.time - one.time || (one.file < other.file ? -1 : 1))
        .map(({ file }) => file)
    },
  }
}
