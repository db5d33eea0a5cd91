import { Buffer } from 'node:buffer'

/** The same bytes as a buffer; nothing is copied. */
export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
