import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './workspace.ts'

/** The lock file must resolve against whatever registry its reader uses. */
export function checkLockFile(): readonly string[] {
  const lines = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8').split('\n')
  return lines
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => /https?:\/\//.test(line) && !line.trimStart().startsWith('deprecated:'))
    .map(({ line, number }) => `pnpm-lock.yaml:${number}: names a host: ${line.trim()}`)
}
