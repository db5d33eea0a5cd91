import { basename } from 'node:path'
import { isExecutable } from '@x/process'

/** The families of shells that differ in how they are spoken to. */
export type ShellKind = 'bash' | 'zsh' | 'sh'

/** A shell that can run commands. */
export interface Shell {
  /** Its path, or a name to be found on the PATH. */
  readonly path: string
  /** Its family. */
  readonly kind: ShellKind
}

const COMMON_PLACES = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/opt/homebrew/bin/bash']

/** The shell that is asked for, else the user's own if it is a bash or zsh, else bash, else sh. */
export function findShell(
  wanted: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Shell {
  if (wanted !== undefined) return toShell(wanted)
  const own = env['SHELL']
  if (own !== undefined && kindOf(own) !== 'sh' && isExecutable(own)) return toShell(own)
  return toShell(COMMON_PLACES.find(isExecutable) ?? '/bin/sh')
}

function toShell(path: string): Shell {
  return { path, kind: kindOf(path) }
}

function kindOf(path: string): ShellKind {
  const name = basename(path).replace(/\.exe$/i, '')
  if (name === 'bash' || name === 'zsh') return name
  return 'sh'
}
