import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { applyEdit, type SettingsEdit } from './apply-edit.ts'
import { followLinks, writeAtomic } from './atomic-write.ts'
import { isSettingsError, SettingsError } from './errors.ts'
import { withFileLock } from './file-lock.ts'
import { toValue } from './json-node.ts'
import { toSteps } from './key-path.ts'
import type { WritableLayer } from './layers.ts'
import type { SettingsOptions } from './load-settings.ts'
import { parseJson } from './parse-json.ts'
import { readBounded } from './read-bounded.ts'
import { findPlaces } from './settings-places.ts'
import { createPositions } from './text-position.ts'

/** What an update did. */
export interface SettingsUpdate {
  /** The file that was written or would have been. */
  readonly file: string
  /** Nothing was to be done if not. */
  readonly isChanged: boolean
  /** The file was not there before. */
  readonly isNew: boolean
}

/** Where a layer is written: the same places that {@link loadSettings} reads. */
export type UpdateOptions = Pick<SettingsOptions, 'cwd' | 'home' | 'env'>

/**
 * Changes the file of a layer: all edits or none.
 *
 * User settings go to `~/.x/settings.json`, project settings to `.x/settings.json` if there is one, else to `.claude/settings.json`, local
 * ones to `settings.local.json` likewise, at the root of the repository. See {@link updateSettingsFile}.
 *
 * @throws SettingsError as {@link updateSettingsFile} does.
 */
export async function updateSettings(
  layer: WritableLayer,
  edits: SettingsEdit | readonly SettingsEdit[],
  options: UpdateOptions = {},
): Promise<SettingsUpdate> {
  const { targets } = await findPlaces({ managedFolder: false, ...options, env: options.env ?? process.env })
  if (!Object.hasOwn(targets, layer)) {
    throw new TypeError(`layer must be user, project or local, not ${layer}`)
  }
  return updateSettingsFile(targets[layer], edits)
}

/**
 * Changes one settings file: all edits or none. Comments, order, indentation, line ends, mode and links stay, and every byte that no
 * edit is about.
 *
 * The file is read, changed and replaced in one step that no other update disturbs, in this process or another. Missing folders and
 * files are made.
 *
 * @throws SettingsError `file-unparsable` if the file is not JSON with comments, `file-unreadable` if it cannot be read, `edit-impossible` if
 * an edit does not fit its content, `file-locked`, `write-failed`.
 */
export async function updateSettingsFile(
  path: string,
  edits: SettingsEdit | readonly SettingsEdit[],
): Promise<SettingsUpdate> {
  const all = [edits].flat()
  for (const edit of all) assertEdit(edit)
  try {
    const target = await followLinks(path)
    await mkdir(dirname(target), { recursive: true })
    return await withFileLock(target, () => updateUnlocked(target, path, all))
  } catch (error) {
    if (isSettingsError(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new SettingsError('write-failed', `${path} cannot be written: ${reason}`, {
      file: path,
      cause: error,
    })
  }
}

async function updateUnlocked(
  target: string,
  path: string,
  edits: readonly SettingsEdit[],
): Promise<SettingsUpdate> {
  const before = await readForUpdate(target)
  const text = edits.reduce((text, edit) => editOrThrow(text, edit, path), before.text)
  if (text === before.text) return { file: path, isChanged: false, isNew: false }
  await writeAtomic(target, before.mark + text)
  return { file: path, isChanged: true, isNew: before.isNew }
}

async function readForUpdate(path: string): Promise<{ text: string; mark: string; isNew: boolean }> {
  const found = await readBounded(path)
  if (found.kind === 'absent') return { text: '', mark: '', isNew: true }
  if (found.kind !== 'text') {
    const reason = found.kind === 'too-large' ? 'it exceeds the 2MiB limit' : 'it is no readable regular file'
    const cause = found.kind === 'unreadable' ? found.cause : undefined
    throw new SettingsError('file-unreadable', `${path} is not changed: ${reason}`, { file: path, cause })
  }
  if (!found.encoding.isCleanUtf8) {
    throw new SettingsError('file-unparsable', `${path} is not changed: save it as UTF-8 first`, {
      file: path,
    })
  }
  const fault = parseJson(found.text).faults[0]
  if (fault !== undefined) {
    const { line, column } = createPositions(found.text)(fault.offset)
    const place = `line ${line}, column ${column}`
    const message = `${path} is not changed, because it cannot be parsed at ${place}; correct it first: ${fault.message}`
    throw new SettingsError('file-unparsable', message, { file: path })
  }
  return { text: found.text, mark: found.encoding.hasMark ? '\uFEFF' : '', isNew: false }
}

function editOrThrow(text: string, edit: SettingsEdit, path: string): string {
  const result = applyEdit(text, edit)
  if ('text' in result && isSound(result.text, edit)) return result.text
  const reason = 'text' in result ? 'the result would not be as asked' : result.refusal
  const message = `${path} is not changed: ${reason}; correct the file or the edit`
  throw new SettingsError('edit-impossible', message, { file: path })
}

/** The last line of defence: the new text has no faults, and the place is as the edit says. */
function isSound(text: string, edit: SettingsEdit): boolean {
  const { root, faults } = parseJson(text)
  if (root === undefined || faults.length > 0) return false
  if (!('set' in edit)) return true
  const found = toSteps(edit.path).reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    toValue(root),
  )
  return isDeepStrictEqual(found, edit.set)
}

function assertEdit(edit: SettingsEdit): void {
  const steps = toSteps(edit.path)
  if (steps.length === 0 || steps.includes('__proto__')) {
    throw new TypeError('path must lead to a setting: a key such as "permissions.allow", not __proto__')
  }
  const values = 'set' in edit ? [edit.set] : 'add' in edit ? edit.add : []
  for (const value of values) {
    if (value === undefined || !isDeepStrictEqual(value, toJson(value))) {
      throw new TypeError(
        `the value for ${String(edit.path)} must be JSON: text, numbers, booleans, null, lists, objects`,
      )
    }
  }
}

function toJson(value: unknown): unknown {
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? undefined : JSON.parse(text)
}
