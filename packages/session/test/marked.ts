import { existsSync, readdirSync, readFileSync } from 'node:fs'

// A process that was left is found by a mark in its environment; only /proc shows that for processes of any group.
export const canLook = existsSync('/proc/self/environ')

/** The command lines of the processes whose environment has the mark. */
export function findMarked(mark: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readProcess(name, 'environ').includes(mark))
    .map((id) => readProcess(id, 'cmdline').replaceAll('\0', ' '))
    .filter((line) => line !== '')
}

function readProcess(id: string, file: string): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
