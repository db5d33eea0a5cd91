import { readFile, stat } from 'node:fs/promises'

/** A larger file is no configuration. In bytes. */
const maxBytes = 2 * 1024 * 1024

/** JSON data of a file, or why there is none. */
export type JsonFile =
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'missing' }
  | { readonly type: 'unreadable'; readonly why: string }

/** Reads a JSON file. Never rejects; what it says of a broken file quotes nothing of it. */
export async function readJsonFile(path: string): Promise<JsonFile> {
  try {
    const facts = await stat(path)
    if (!facts.isFile()) return { type: 'unreadable', why: 'it is no file' }
    if (facts.size > maxBytes) return { type: 'unreadable', why: `it is larger than ${maxBytes} bytes` }
    return parse(await readFile(path, 'utf8'))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
    return isMissing ? { type: 'missing' } : { type: 'unreadable', why: code }
  }
}

function parse(text: string): JsonFile {
  try {
    return { type: 'value', value: JSON.parse(text.replace(/^\uFEFF/, '')) }
  } catch {
    return { type: 'unreadable', why: 'it is not valid JSON' }
  }
}
