import { resolve } from 'node:path'
import { SettingsError } from './errors.ts'
import { maxSettingsBytes, readBounded } from './read-bounded.ts'
import { type CheckedFile, checkText, type SettingsSections } from './settings-file.ts'

/** The name of the file for settings that were given as text. */
const flagTextName = '--settings'

/**
 * Reads the settings of the command line: a file, or JSON text that begins with a brace, or a value.
 *
 * Bad entries are left out as in any file. Settings that were asked for and cannot be read at all end the start.
 *
 * @throws SettingsError if there is no such regular file of at most 2 MiB, or if the text is not JSON.
 */
export async function readFlagSettings(
  given: string | object,
  cwd: string,
  sections: SettingsSections,
): Promise<CheckedFile> {
  const { path, text } = typeof given === 'string' ? await textOf(given, cwd) : toText(given)
  const file = checkText({ layer: 'command-line', path }, text, sections)
  const broken = file.problems.find(({ kind }) => kind === 'syntax')
  if (broken !== undefined || file.root === undefined) {
    const reason =
      (broken ?? file.problems[0])?.message ?? `${path}: the text is empty; give an object: { ... }`
    throw new SettingsError('flag-settings-invalid', `Invalid settings: ${reason}`, { file: path })
  }
  return file
}

async function textOf(given: string, cwd: string): Promise<{ path: string; text: string }> {
  if (given.trimStart().startsWith('{')) {
    if (Buffer.byteLength(given) > maxSettingsBytes) throw tooLarge(flagTextName)
    return { path: flagTextName, text: given }
  }
  const path = resolve(cwd, given)
  const found = await readBounded(path)
  switch (found.kind) {
    case 'text':
      return { path, text: found.text }
    case 'too-large':
      throw tooLarge(path)
    case 'absent':
      throw unreadable(`Settings file not found: ${path}`, path)
    case 'not-regular':
      throw unreadable(`Settings file is not a regular file: ${path}`, path)
    case 'unreadable':
      throw unreadable(`Settings file cannot be read: ${path}`, path, found.cause)
  }
}

function toText(value: object): { path: string; text: string } {
  return { path: flagTextName, text: JSON.stringify(value, undefined, 2) }
}

function tooLarge(path: string): SettingsError {
  const message = `Settings file exceeds the 2MiB limit: ${path}`
  return new SettingsError('flag-settings-too-large', message, { file: path })
}

function unreadable(message: string, file: string, cause?: unknown): SettingsError {
  return new SettingsError('flag-settings-unreadable', message, { file, cause })
}
