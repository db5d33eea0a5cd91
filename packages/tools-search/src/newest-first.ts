import type { Search } from './run-search.ts'

/** Puts the files that were changed last first; those of the same time in the order of their names. */
export async function newestFirst(files: readonly string[], search: Search): Promise<readonly string[]> {
  const times = await search.settings.operations.modifiedTimes(files, search.signal)
  return files
    .map((file, index) => ({ file, time: times[index] ?? 0 }))
    .toSorted((one, other) => other.time - one.time || (one.file < other.file ? -1 : 1))
    .map(({ file }) => file)
}
