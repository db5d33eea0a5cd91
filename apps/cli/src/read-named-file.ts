import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

/**
 * The text of a file that somebody named on the command line.
 *
 * @throws TypeError that says which file is not there, or is a folder; other errors of the file system as they are.
 */
export async function readNamedFile(name: string): Promise<string> {
  try {
    return await readFile(name, 'utf8')
  } catch (error) {
    const what = error instanceof Error && 'code' in error ? complaints.get(error.code) : undefined
    if (what === undefined) throw error
    throw new TypeError(`${resolve(name)} ${what}`, { cause: error })
  }
}

const complaints: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'does not exist'],
  ['EISDIR', 'is a folder, not a file'],
])
