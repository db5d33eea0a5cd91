import { statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'

/** The first of some folders that exists; after them the home folder and the system's for temporary files. */
export function findWorkingFolder(folders: readonly string[]): string {
  return [...folders, homedir()].find(isFolder) ?? tmpdir()
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
