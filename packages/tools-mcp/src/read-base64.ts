import type { Base64ImageSource } from '@x/contract'

/** Decodes base64 as servers write it, line breaks and missing padding included; `undefined` when it is none. */
export function readBase64(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string') return undefined
  const packed = text.replace(/\s+/g, '')
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(packed) ? Buffer.from(packed, 'base64') : undefined
}

/** The first bytes in hexadecimal digits; `.` is any digit. */
const signatures: readonly (readonly [Base64ImageSource['media_type'], RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^47494638(37|39)61/],
  ['image/webp', /^52494646.{8}57454250/],
]

/** Tells by its first bytes what picture it is: the model service refuses a whole request for one wrong label. */
export function sniffImage(bytes: Uint8Array): Base64ImageSource['media_type'] | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('hex')
  return signatures.find(([, signature]) => signature.test(start))?.[0]
}
