import { Buffer } from 'node:buffer'

/** Bytes as base64, however the array looks at its memory. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
