import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'

/** Whether an error is about a script that the hook itself names and that really is missing. */
export function blamesMissingScript(stderr: string, commands: readonly string[], cwd: string): boolean {
  if (!/no such file|not found|can't open|cannot open|cannot find|does not exist/i.test(stderr)) return false
  return commands
    .flatMap((command) => command.split(/[\s"';|&()<>]+/))
    .filter((word) => /[./]/.test(word))
    .map((word) => word.replace(/^~(?=\/)/, homedir()))
    .some((word) => stderr.includes(word) && !existsSync(resolve(cwd, word)))
}
