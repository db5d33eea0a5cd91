import { dirname } from 'node:path'
import { hasCode } from './errors.ts'
import type { CheckpointOperations } from './operations.ts'

/** Makes a folder and those above it that are missing. */
export async function makeFolders(
  path: string,
  operations: CheckpointOperations,
  options: { readonly mode?: number } = {},
): Promise<void> {
  // A root is there; some systems refuse to make it in words of their own.
  if (dirname(path) === path) return
  try {
    await operations.makeFolder(path, options)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    await makeFolders(dirname(path), operations, options)
    await operations.makeFolder(path, options)
  }
}

/** The folders above a path that are not there, the deepest first. */
export async function missingFolders(path: string, operations: CheckpointOperations): Promise<string[]> {
  const missing: string[] = []
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder)) {
    if ((await operations.stat(folder)) !== undefined) break
    missing.push(folder)
  }
  return missing
}

/** Whether a link stands above a path: what is below it then is somewhere else. */
export async function hasLinkAbove(path: string, operations: CheckpointOperations): Promise<boolean> {
  const missing = await missingFolders(path, operations)
  const lowest = dirname(missing.at(-1) ?? path)
  return (await operations.realpath(lowest)) !== lowest
}
