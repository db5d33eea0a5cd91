import type { z } from 'zod'
import { checkSection } from './check-section.ts'
import { type JsonEntry, type JsonObject, type PathStep, toKeyText } from './json-node.ts'
import type { LayerName, SettingsPlace } from './layers.ts'
import { type JsonFault, parseJson } from './parse-json.ts'
import { type BoundedRead, readBounded } from './read-bounded.ts'
import { createPositions, type TextPosition } from './text-position.ts'

/** The schemas of sections by their key at the top of the file. */
export type SettingsSections = Readonly<Record<string, z.ZodType>>

/** Something in a settings file that does not count, or counts otherwise than its writer may think. */
export interface SettingsProblem {
  /** The layer of the file. */
  readonly layer: LayerName
  /** The file. */
  readonly file: string
  /** Counted from 1; nothing if the file could not be read. */
  readonly line?: number
  /** Counted from 1; nothing if the file could not be read. */
  readonly column?: number
  /** The keys of the place. */
  readonly path: readonly PathStep[]
  /** The keys as text, such as `hooks.PreToolUse[0].matcher`. */
  readonly key: string
  /** `file`: it was not read at all. `syntax`: it is not JSON with comments there. `value`: the schema refuses it. */
  readonly kind: 'file' | 'syntax' | 'value'
  /** One line with file, line, column and key, what is wrong, what became of it, and what to do. */
  readonly message: string
}

/** A settings file as it was read and checked. */
export interface CheckedFile extends SettingsPlace {
  /** There is a file. */
  readonly exists: boolean
  /** What counts of it. */
  readonly root: JsonObject | undefined
  /** What does not. */
  readonly problems: readonly SettingsProblem[]
  /** The text, to see whether the file has changed. */
  readonly text: string | undefined
  /** Where an offset of its text is. */
  readonly positionOf: (offset: number) => TextPosition
}

/** Reads and checks one settings file. Never rejects: what is wrong is among the problems. */
export async function readSettingsFile(
  place: SettingsPlace,
  sections: SettingsSections,
): Promise<CheckedFile> {
  const found = await readBounded(place.path)
  if (found.kind === 'text') return checkText(place, found.text, sections)
  const blank = { ...place, root: undefined, text: undefined, positionOf: createPositions('') }
  if (found.kind === 'absent') return { ...blank, exists: false, problems: [] }
  const message = `${place.path}: the file is not read: ${whyUnread(found)}`
  return {
    ...blank,
    exists: true,
    problems: [{ layer: place.layer, file: place.path, path: [], key: '', kind: 'file', message }],
  }
}

/** Checks the text of a settings file. */
export function checkText(place: SettingsPlace, text: string, sections: SettingsSections): CheckedFile {
  const positionOf = createPositions(text)
  const problems: SettingsProblem[] = []
  const add = (kind: SettingsProblem['kind'], fault: JsonFault): void => {
    const { offset, path } = fault
    let { message } = fault
    if (problems.length > maxProblems) return
    if (problems.length === maxProblems) message = 'there are more problems like these, which are not listed'
    const { line, column } = positionOf(offset)
    const { layer, path: file } = place
    const full = `${file}:${line}:${column}: ${message}`
    problems.push({ layer, file, line, column, path, key: toKeyText(path), kind, message: full })
  }
  const { root, faults, isCut } = parseJson(text)
  for (const fault of faults) add('syntax', fault)
  if (root !== undefined && root.kind !== 'object' && !isCut) {
    add('value', { offset: root.offset, path: [], message: 'the file must hold one object: { ... }' })
  }
  const object = root?.kind === 'object' ? root : undefined
  const checked = object && checkRoot(object, sections, (fault) => add('value', fault))
  return { ...place, exists: true, root: checked, problems, text, positionOf }
}

/** Nobody reads more, and a hostile file may have a million. */
const maxProblems = 1100

function checkRoot(
  root: JsonObject,
  sections: SettingsSections,
  add: (fault: JsonFault) => void,
): JsonObject {
  const entries = new Map<string, JsonEntry>()
  for (const [key, entry] of root.entries) {
    const { node, faults } = checkSection(
      entry.value,
      Object.hasOwn(sections, key) ? sections[key] : undefined,
    )
    for (const fault of faults) add(fault)
    if (node !== undefined) entries.set(key, { ...entry, value: node })
  }
  return { ...root, entries }
}

function whyUnread(found: Exclude<BoundedRead, { kind: 'text' | 'absent' }>): string {
  if (found.kind === 'too-large') return 'it exceeds the 2MiB limit; make it smaller'
  if (found.kind === 'not-regular') return 'it is no regular file; put a file in its place or remove it'
  const reason = found.cause instanceof Error ? found.cause.message : String(found.cause)
  return `${reason}; make it readable or remove it`
}
