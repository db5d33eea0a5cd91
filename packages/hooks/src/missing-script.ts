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
    .some((word) => names(stderr, word) && !existsSync(resolve(cwd, word)))
}

/** Whether the text has this word whole, perhaps behind a folder. */
function names(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + word.length] ?? ' '}`
    if (!/[\w.-]/.test(around.charAt(0)) && !/[\w/-]/.test(around.charAt(1))) return true
  }
  return false
}
