import type { NoteWritten, ToolUseContext } from '@x/contract'
import type { FileOperations } from './file-operations.ts'
import { toAbsolutePath } from './file-path.ts'
import { hasCode } from './has-code.ts'
import { nodeFileOperations } from './node-file-operations.ts'
import { withPathLock } from './path-lock.ts'
import { type LoadedFile, loadIfPresent } from './read-bytes.ts'
import { CHANGED_SINCE_READ, rememberWrite } from './read-state.ts'

/** Settings that Write, Edit and NotebookEdit share. */
export interface ChangeOptions {
  /** The file system. @default that of this machine, through `node:fs` */
  readonly operations?: FileOperations
  /** Refuse a file without the owner's write bit, with a hint at `p4 edit`. @default false */
  readonly isPerforceMode?: boolean
  /** Largest existing file that is changed, in bytes; it is loaded whole. @default 268_435_456 (256 MiB) */
  readonly maxFileBytes?: number
}

/** The options with their defaults. */
export type ChangeSettings = Required<ChangeOptions>

/** The new content of a file, and what the caller wants to say about it. */
export interface ChangePlan<Facts> {
  /** The pieces of the new content, in order. */
  readonly content: readonly Uint8Array[]
  readonly facts: Facts
}

/** How one change of a file is made. */
export interface ChangeSteps<Facts> {
  readonly settings: ChangeSettings
  /** Makes the new content from the current one (`undefined`: there is no file), or rejects with what the model is told. */
  readonly plan: (path: string, current: LoadedFile | undefined) => Promise<ChangePlan<Facts>>
}

const DEFAULT_MAX_FILE_BYTES = 256 * 1024 * 1024

/** @throws RangeError if `maxFileBytes` is not positive. */
export function resolveChangeOptions(options: ChangeOptions): ChangeSettings {
  const {
    operations = nodeFileOperations,
    isPerforceMode = false,
    maxFileBytes = DEFAULT_MAX_FILE_BYTES,
  } = options
  if (!(maxFileBytes > 0)) throw new RangeError(`maxFileBytes must be positive, got ${maxFileBytes}`)
  return { operations, isPerforceMode, maxFileBytes }
}

/** Load, plan, keep, write, remember: alone on this file, and nothing is written when it changed on the way. */
export async function changeFile<Facts>(
  filePath: string,
  context: ToolUseContext,
  { settings, plan }: ChangeSteps<Facts>,
): Promise<{ readonly filePath: string; readonly facts: Facts }> {
  const { operations, maxFileBytes } = settings
  const { signal } = context.abortController
  const absolutePath = toAbsolutePath(filePath, context)
  const path = await explain(absolutePath, () => operations.realpath(absolutePath))
  return await withPathLock(path, async () => {
    signal.throwIfAborted()
    const current = await explain(absolutePath, () =>
      loadIfPresent(operations, path, { maxBytes: maxFileBytes, signal }),
    )
    if (settings.isPerforceMode) assertOpenedInPerforce(absolutePath, current)
    const { content, facts } = await plan(path, current)
    signal.throwIfAborted()
    const before = current && { bytes: current.bytes, mode: current.info.mode }
    const noteWritten = await context.fileHistory?.beforeChange({ path, before, after: content }, { signal })
    const outcome = await explain(absolutePath, () =>
      operations.write(path, content, { expected: current?.info, signal }),
    )
    if (outcome.type === 'changed') throw new Error(CHANGED_SINCE_READ)
    rememberWrite(context, path, { info: outcome.info, content })
    await tell(noteWritten)
    return { filePath: absolutePath, facts }
  })
}

/** The new content is in place: whatever the history says now, the call has done its work. */
async function tell(noteWritten: NoteWritten | undefined): Promise<void> {
  try {
    await noteWritten?.()
  } catch {
    // It promises not to; a history that breaks its promise may not make a change look like none.
  }
}

/** Turns the usual refusals of a file system into something that the model can act on. */
async function explain<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (hasCode(error, 'EINVAL', 'EISDIR')) throw new Error(`Not a regular file: ${path}`, { cause: error })
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) {
      throw new Error(`Permission denied: ${path} may not be read or written by this user.`, { cause: error })
    }
    if (hasCode(error, 'ENOTDIR', 'EEXIST')) {
      throw new Error(`A part of the path is not a folder: ${path}`, { cause: error })
    }
    throw error
  }
}

function assertOpenedInPerforce(path: string, current: LoadedFile | undefined): void {
  if (current === undefined || (current.info.mode & 0o200) !== 0) return
  throw new Error(`The file is read-only because it is not open in Perforce. Run \`p4 edit ${path}\` first.`)
}
