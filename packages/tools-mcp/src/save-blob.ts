import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes that the model cannot be shown. */
interface McpBlob {
  /** What they are. */
  readonly bytes: Uint8Array
  /** Their media type, as the server says; may be anything. */
  readonly mimeType: string
}

/** Keeps bytes and gives the absolute path where they are. Rejects when it cannot. */
export type SaveBlob = (blob: McpBlob) => Promise<string>

/** Makes a function that keeps bytes as files of a folder, readable by the user alone. The folder is made when it is needed. */
export function saveBlobsIn(folder: string): SaveBlob {
  return async ({ bytes, mimeType }) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, `mcp-${randomUUID()}.${extensionOf(mimeType)}`)
    await writeFile(file, bytes, { flag: 'wx', mode: 0o600 })
    return file
  }
}

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'application/zip': 'zip',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/csv': 'csv',
}

function extensionOf(mimeType: string): string {
  const [type = ''] = mimeType.toLowerCase().split(';')
  const known = type.trim()
  return Object.hasOwn(extensions, known) ? (extensions[known] ?? 'bin') : 'bin'
}
