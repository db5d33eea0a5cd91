import { applyFilter, type FileFilter, listFiles, toFilterArgs } from './file-filter.ts'
import type { GrepInput, PageRequest } from './grep-input.ts'
import type { Search } from './run-search.ts'

/** All that one call of Grep has to do. */
export interface GrepTask {
  /** Where and how. */
  readonly search: Search
  /** What. */
  readonly input: GrepInput
  /** In which files. */
  readonly filter: FileFilter
  /** Which part of the entries is wanted. */
  readonly page: PageRequest
}

/** Readies a call. */
export async function openTask(
  search: Search,
  input: GrepInput,
  { page, respectsIgnoreFiles }: { readonly page: PageRequest; readonly respectsIgnoreFiles: boolean },
): Promise<GrepTask> {
  const filter: FileFilter = {
    glob: input.glob?.replace(/^(\.\/)+/u, ''),
    type: input.type,
    respectsIgnoreFiles,
    includesDotfiles: true,
  }
  return { search: await applyFilter(search, filter), input, filter, page }
}

/** The call names a folder in which ignore files leave nothing: then it means what they leave out. */
export async function isIgnoredFolder({ search, input }: GrepTask): Promise<boolean> {
  if (input.path === undefined || search.place.target !== './') return false
  let isEmpty = true
  const filter = { respectsIgnoreFiles: true, includesDotfiles: true }
  await listFiles(search, toFilterArgs(filter, search.place), () => {
    isEmpty = false
    return false
  })
  return isEmpty
}
