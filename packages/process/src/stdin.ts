import type { Writable } from 'node:stream'

/** Writes the data and ends the stream. A process that does not read to the end is no failure. */
export function feedStdin(stdin: Writable | null, data: string | Uint8Array | undefined): void {
  if (stdin === null) return
  stdin.on('error', () => {})
  stdin.end(data)
}
