import { accessSync, constants, statSync } from 'node:fs'

/**
 * Says whether a path leads to a file that this user may execute; links are followed. A folder is none, though the system calls it
 * executable, and neither is what is missing or cannot be looked at. Says nothing about whether it would run: a script may name a
 * shell that is not there. On Windows every file may be executed.
 *
 * @example
 * isExecutable('/bin/sh') // true
 */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
