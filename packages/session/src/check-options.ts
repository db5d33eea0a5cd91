import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { effortLevels } from '@x/contract'
import { permissionModes, toPermissionMode } from '@x/permissions'
import { isUuid } from './is-uuid.ts'
import type { QueryOptions } from './session-options.ts'

/** @throws TypeError for an option of a wrong shape, and for two that cannot both be. */
export function checkOptions(options: QueryOptions): void {
  const { cwd, effort, permissionMode, canUseTool, permissionPromptToolName } = options
  if (canUseTool !== undefined && permissionPromptToolName !== undefined)
    throw new TypeError('canUseTool and permissionPromptToolName cannot both be given')
  checkIds(options)

  if (cwd !== undefined && !isFolder(cwd)) {
    throw new TypeError(`cwd must be the absolute path of a folder, not "${cwd}"`)
  }
  if (effort !== undefined && !effortLevels.includes(effort)) {
    throw new TypeError(`effort must be one of ${effortLevels.join(', ')}, not "${effort}"`)
  }
  if (permissionMode !== undefined && toPermissionMode(permissionMode) === undefined) {
    throw new TypeError(
      `permissionMode must be one of ${permissionModes.join(', ')}, not "${permissionMode}"`,
    )
  }
}

function checkIds({ sessionId, resume, forkSession = false, resumeSessionAt }: QueryOptions): void {
  assertUuid('sessionId', sessionId)
  assertUuid('resume', resume)
  const goesOn = forkSession || resumeSessionAt !== undefined
  if (resume === undefined && goesOn) throw new TypeError('forkSession and resumeSessionAt need resume')
  const hasTwoIds = resume !== undefined && sessionId !== undefined && sessionId !== resume
  if (hasTwoIds && !forkSession)
    throw new TypeError('a session that is resumed keeps its id, unless it is forked')
}

function assertUuid(name: string, id: string | undefined): void {
  if (id !== undefined && !isUuid(id)) throw new TypeError(`${name} must be a UUID, not "${id}"`)
}

function isFolder(path: string): boolean {
  return isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
