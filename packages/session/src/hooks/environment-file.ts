import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The `export` lines that hooks leave for later commands, as a file that a shell reads before each of them. */
export interface EnvironmentFile {
  /** The file to read before a command; undefined where there is nothing to read. */
  current(): string | undefined
  /**
   * Keeps what the hooks of an event wrote. What began the session lasts; what a folder or a file changed lasts until the folder
   * changes again.
   */
  keep(
    event: 'SessionStart' | 'Setup' | 'CwdChanged' | 'FileChanged',
    text: string | undefined,
  ): Promise<void>
}

/** Makes it without writing anything. `userFile` is the one that the user names, which is read first. */
export function createEnvironmentFile(path: string, userFile: string | undefined): EnvironmentFile {
  const lasting: string[] = []
  let passing: string[] = []
  let isWritten = false
  let last: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    const first = userFile === undefined ? [] : [`[ ! -r ${quote(userFile)} ] || . ${quote(userFile)}`]
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    // A command that starts now reads the old lines or the new ones, never half of them.
    await writeFile(`${path}.new`, `${[...first, ...lasting, ...passing].join('\n')}\n`, { mode: 0o600 })
    await rename(`${path}.new`, path)
    isWritten = true
  }

  return {
    current: () => (isWritten ? path : userFile),
    async keep(event, text = '') {
      const before = passing.length
      if (event === 'CwdChanged') passing = []
      if (text.trim() !== '') (event === 'SessionStart' || event === 'Setup' ? lasting : passing).push(text)
      if (text.trim() === '' && before === passing.length) return
      last = last.then(write)
      await last
    },
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
