import type { Writable } from 'node:stream'
import type { ProcessOptions } from './options.ts'

/** Writes the data and ends the stream, unless it is to stay open. A process that does not read to the end is no failure. */
export function feedStdin(stdin: Writable | null, { stdin: data, keepInputOpen }: ProcessOptions): void {
  if (stdin === null) return
  stdin.on('error', () => {})
  if (keepInputOpen !== true) stdin.end(data)
  else if (data !== undefined) stdin.write(data)
}

/** Resolves with true once the system has taken the data, with false if the process takes no more. */
export function writeStdin(stdin: Writable | null, data: string | Uint8Array): Promise<boolean> {
  if (stdin === null || !stdin.writable) return Promise.resolve(false)
  return new Promise((resolve) => {
    stdin.write(data, (error) => resolve(error === null || error === undefined))
  })
}
