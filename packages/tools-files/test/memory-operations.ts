import { Buffer } from 'node:buffer'
import type { FileInfo, FileOperations } from '@x/tools-files'

/** A file system in memory: what another machine might look like. */
export function makeMemoryOperations(content: Record<string, string>): {
  readonly operations: FileOperations
  readonly files: Map<string, string>
} {
  const files = new Map(Object.entries(content))
  const infoOf = (path: string): FileInfo => {
    const text = files.get(path)
    if (text === undefined) throw Object.assign(new Error(path), { code: 'ENOENT' })
    return { kind: 'file', sizeBytes: Buffer.byteLength(text), mtimeMs: text.length, mode: 0o644 }
  }
  const operations: FileOperations = {
    realpath: async (path) => path,
    stat: async (path) => infoOf(path),
    open: async (path) => {
      const info = infoOf(path)
      const bytes = Buffer.from(files.get(path) ?? '')
      const read = async (buffer: Uint8Array, position: number): Promise<number> =>
        bytes.copy(buffer, 0, position, Math.min(bytes.length, position + buffer.length))
      return { info, read, [Symbol.asyncDispose]: async () => {} }
    },
    list: async () => [...files.keys()],
    write: async (path, parts, { expected }) => {
      const current = files.has(path) ? infoOf(path) : undefined
      if (current?.mtimeMs !== expected?.mtimeMs) return { type: 'changed' }
      files.set(path, Buffer.concat(parts).toString())
      return { type: 'written', info: infoOf(path) }
    },
  }
  return { operations, files }
}
