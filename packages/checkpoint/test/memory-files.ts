import { dirname } from 'node:path'
import type { CheckpointOperations, FileFacts } from '@x/checkpoint'

interface MemoryFile {
  readonly bytes: Uint8Array
  readonly mode: number
  readonly version: number
}

/** A disk in memory: `operations` for the checkpoints, the rest for tools, users and tests. */
export interface MemoryFiles {
  readonly operations: CheckpointOperations
  readonly files: ReadonlyMap<string, MemoryFile>
  readonly folders: ReadonlySet<string>
  /** Text of a file; `undefined`: there is none. */
  text(path: string): string | undefined
  /** Writes or removes a file, and makes its folders. */
  put(path: string, text: string | undefined): void
  /** All files below a folder, by path, as text. */
  below(folder: string): ReadonlyMap<string, string>
}

export function createMemoryFiles(): MemoryFiles {
  const files = new Map<string, MemoryFile>()
  const folders = new Set(['/'])
  let version = 0
  const set = (path: string, bytes: Uint8Array, mode: number): void => {
    if (!folders.has(dirname(path))) throw systemError('ENOENT', path)
    files.set(path, { bytes: Uint8Array.from(bytes), mode, version: ++version })
  }
  const get = (path: string): MemoryFile => {
    const file = files.get(path)
    if (file === undefined) throw systemError('ENOENT', path)
    return file
  }
  const put = (path: string, text: string | undefined): void => {
    if (text === undefined) return void files.delete(path)
    for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) folders.add(folder)
    set(path, Buffer.from(text), files.get(path)?.mode ?? 0o644)
  }
  const operations: CheckpointOperations = {
    stat: async (path) => {
      const file = files.get(path)
      if (file !== undefined) return factsOf('file', file)
      return folders.has(path)
        ? factsOf('directory', { bytes: new Uint8Array(), mode: 0o755, version: 0 })
        : undefined
    },
    realpath: async (path) => path,
    read: async (path) => get(path).bytes,
    create: async (path, bytes, { mode }) => {
      if (files.has(path)) throw systemError('EEXIST', path)
      set(path, bytes, mode)
    },
    append: async (path, text) => {
      const { bytes, mode } = files.get(path) ?? { bytes: new Uint8Array(), mode: 0o600 }
      set(path, Buffer.concat([bytes, Buffer.from(text)]), mode)
    },
    rename: async (from, to) => {
      const { bytes, mode } = get(from)
      set(to, bytes, mode)
      files.delete(from)
    },
    remove: async (path) => {
      get(path)
      files.delete(path)
    },
    list: async (path) =>
      [...files.keys()].filter((file) => dirname(file) === path).map((file) => file.slice(path.length + 1)),
    makeFolder: async (path) => {
      if (!folders.has(dirname(path))) throw systemError('ENOENT', path)
      folders.add(path)
    },
    removeFolder: async (path) => {
      if ([...files.keys(), ...folders].some((entry) => dirname(entry) === path))
        throw systemError('ENOTEMPTY', path)
      if (!folders.delete(path)) throw systemError('ENOENT', path)
    },
  }
  const text = (path: string): string | undefined => {
    const file = files.get(path)
    return file && Buffer.from(file.bytes).toString()
  }
  const below = (folder: string): ReadonlyMap<string, string> =>
    new Map(
      [...files.keys()]
        .filter((path) => path.startsWith(`${folder}/`))
        .map((path) => [path, text(path) ?? '']),
    )
  return { operations, files, folders, text, put, below }
}

export function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code })
}

function factsOf(kind: FileFacts['kind'], { bytes, mode, version }: MemoryFile): FileFacts {
  return {
    kind,
    sizeBytes: bytes.length,
    mode,
    linkCount: 1,
    version: `${version}`,
    owner: { uid: 0, gid: 0 },
  }
}
