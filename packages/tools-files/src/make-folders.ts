import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from './has-code.ts'

/**
 * Makes a folder and those above it that are missing; what exists is fine.
 *
 * Not by `mkdir` with `recursive`: below `/proc`, where nothing can be made, that never ends and keeps the process from ending.
 */
export async function makeFolders(path: string): Promise<void> {
  // A root is there; some systems refuse to make it in words of their own.
  if (dirname(path) === path) return
  try {
    await makeFolder(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    await makeFolders(dirname(path))
    await makeFolder(path)
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    // Something may stand there that is no folder: then the write says so.
    if (!hasCode(error, 'EEXIST')) throw error
  }
}
