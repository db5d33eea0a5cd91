import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { TranscriptError } from './errors.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const agentId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/
const maxNameLength = 200

/** Tells whether a text is a UUID: only those become names of session files. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}

/**
 * Passes the id of a session on if it may become a file name.
 *
 * @throws TranscriptError `invalid-id` if it is not a UUID.
 */
export function checkSessionId(id: string): string {
  if (isUuid(id)) return id.toLowerCase()
  throw new TranscriptError(
    'invalid-id',
    `A session id must be a UUID, not ${JSON.stringify(id.slice(0, 80))}`,
  )
}

/**
 * Passes the id of an agent on if it may become a file name.
 *
 * @throws TranscriptError `invalid-id` if it has other characters than letters, digits, `-` and `_`, or more than 100.
 */
export function checkAgentId(id: string): string {
  if (agentId.test(id)) return id
  const message = `An agent id must consist of letters, digits, - and _, not ${JSON.stringify(id.slice(0, 80))}`
  throw new TranscriptError('invalid-id', message)
}

/** The folder name of a project: its real path with dashes; a long one is cut and told apart by a number made of all of it. */
export async function toProjectName(cwd: string): Promise<string> {
  const path = (await realpath(cwd).catch(() => resolve(cwd))).normalize('NFC')
  const name = path.replaceAll(/[^A-Za-z0-9]/g, '-')
  return name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength)}-${hash(path)}`
}

function hash(text: string): string {
  let value = 0
  for (let index = 0; index < text.length; index += 1) value = (value * 31 + text.charCodeAt(index)) | 0
  return Math.abs(value).toString(36)
}
