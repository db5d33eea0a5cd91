import { Buffer } from 'node:buffer'

/** A picture as a request holds it. */
export interface Image {
  /** It travels in the request. */
  readonly type: 'base64'
  /** By its content. */
  readonly media_type: MediaType
  /** Its bytes. */
  readonly data: string
}

type MediaType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** The service takes no larger picture. */
const MAX_BASE64_CHARS = 5 * 1024 * 1024

/**
 * Reads an image's data URL; `undefined` for any other text, and for what is no whole picture.
 *
 * The service refuses a picture that it cannot read, and with it every later request of the conversation.
 */
export function parseImage(text: string): Image | undefined {
  const { 0: head } = /^\s*data:image\/(?:png|jpeg|gif|webp);base64,/.exec(text) ?? []
  if (head === undefined) return undefined
  // Blanks go first: one expression for both would take quadratic time on many blanks.
  const written = text.slice(head.length).replace(/\s+/g, '')
  if (written.length > MAX_BASE64_CHARS || !/^[A-Za-z0-9+/]+={0,2}$/.test(written)) return undefined
  const bytes = Buffer.from(written, 'base64')
  const type = sniff(bytes)
  // Made anew, for the padding that the writer may have left out.
  return type === undefined ? undefined : { type: 'base64', media_type: type, data: bytes.toString('base64') }
}

/** Told by the first bytes, if the last ones are there too. */
function sniff(bytes: Buffer): MediaType | undefined {
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('\x89PNG\r\n\x1A\n')) return bytes.includes('IEND', -12) ? 'image/png' : undefined
  if (start.startsWith('\xFF\xD8\xFF'))
    return bytes.lastIndexOf('\xFF\xD9', 'latin1') > 3 ? 'image/jpeg' : undefined
  if (/^GIF8[79]a/.test(start)) return bytes.lastIndexOf(';') > 13 ? 'image/gif' : undefined
  if (!/^RIFF.{4}WEBP/s.test(start)) return undefined
  return bytes.readUInt32LE(4) + 8 <= bytes.length ? 'image/webp' : undefined
}
