import { createHash } from 'node:crypto'

/** Names content: the same bytes have the same digest. */
export function digestOf(pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}

/** Size in bytes of content in pieces. */
export function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((total, piece) => total + piece.length, 0)
}
