import { execFileSync } from 'node:child_process'

/** A pipe that nobody writes to: whoever reads it waits for ever. */
export function makePipe(path: string): void {
  execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', path])
}
