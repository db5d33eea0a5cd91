import { statSync } from 'node:fs'
import { resolve } from 'node:path'

/** The absolute path of a folder that a flag names. @throws TypeError if there is none. */
export function toExistingFolder(flag: string, folder: string): string {
  const path = resolve(folder)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path
  throw new TypeError(`${flag}: ${folder} is no folder`)
}
