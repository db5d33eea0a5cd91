import type { Buffer } from 'node:buffer'
import type { TextCodec } from './text-codec.ts'

/** Encodes text for a file. @throws Error if the encoding cannot hold it. */
export function encode(text: string, codec: TextCodec): Buffer {
  const bytes = codec.encode(text)
  if (bytes === undefined) throw cannotHold(codec)
  return bytes
}

/** What the model is told when the file's encoding lacks a character; nothing has been written. */
export function cannotHold(codec: TextCodec): Error {
  return new Error(
    `The text has characters that the file's encoding (${codec.name}) cannot hold. The file was left as it is.`,
  )
}
