import { join, relative, resolve, sep } from 'node:path'
import { isRecord } from '../is-record.ts'
import { readJsonFile } from './read-json-file.ts'

/** A configuration that a plugin brings, as JSON data, and where it stands. */
export interface PluginPart {
  readonly value: unknown
  readonly file: string
}

/** Where a part of a plugin is looked for. */
export interface PartPlaces {
  /** Absolute path of the plugin. */
  readonly root: string
  /** Where it stands if the manifest says nothing, relative to the plugin. */
  readonly usual: string
  /** What the manifest says: paths, or the configuration itself. */
  readonly said: unknown
  /** Told what does not count. */
  readonly leaveOut: (message: string) => void
}

/** Reads a part of a plugin from its usual file and from what the manifest names. Each file counts once; a bad one hides no other. */
export async function readParts({ root, usual, said, leaveOut }: PartPlaces): Promise<readonly PluginPart[]> {
  const usualFile = join(root, usual)
  const named = pathsIn(root, said, leaveOut).filter((path) => path !== usualFile)
  const parts = await Promise.all(
    [usualFile, ...named].map(async (file): Promise<readonly PluginPart[]> => {
      const read = await readJsonFile(file)
      if (read.type === 'value') return [{ value: read.value, file }]
      if (read.type === 'unreadable') leaveOut(`${file} cannot be read: ${read.why}`)
      else if (file !== usualFile) leaveOut(`${file} does not exist`)
      return []
    }),
  )
  const inline = isRecord(said) ? [{ value: said, file: join(root, '.claude-plugin', 'plugin.json') }] : []
  return [...parts.flat(), ...inline]
}

/** The paths that a manifest names, each once, as absolute ones. A way out of the plugin is left out. */
export function pathsIn(root: string, said: unknown, leaveOut: (message: string) => void): readonly string[] {
  const texts = (Array.isArray(said) ? said : [said]).filter((text) => typeof text === 'string')
  const paths = texts.flatMap((text) => {
    const path = resolve(root, text)
    if (isWithin(root, path)) return [path]
    leaveOut(`"${text}" leads out of the plugin`)
    return []
  })
  return [...new Set(paths)]
}

/** Whether a path is a folder or something in it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path
}
