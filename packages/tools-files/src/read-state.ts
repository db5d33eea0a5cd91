import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import { extname } from 'node:path'
import type { CanUseTool, FileReadState, ToolUseContext } from '@x/contract'
import type { FileInfo } from './file-operations.ts'
import type { LoadedFile } from './read-bytes.ts'

/** Files up to this size get a digest, which tells a touched file from a changed one. Larger ones are not worth the time. */
export const MAX_DIGEST_BYTES = 1024 * 1024

const NOT_READ = 'File has not been read yet. Read it first before writing to it.'

/** The answer to a change of a file that is no longer what was read. */
export const CHANGED_SINCE_READ =
  'File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.'

/** Which file is about to be changed, and who asks. */
export interface ChangeRequest {
  /** Real path. */
  readonly path: string
  readonly current: LoadedFile
  readonly context: ToolUseContext
  readonly canUseTool: CanUseTool
  /** Newer models do not help: the file must have been read. */
  readonly isReadRequired?: boolean
}

/**
 * Finds out whether a file is known as it is now. `changed`: it was seen whole, and has changed since.
 *
 * @throws Error if it was not seen, or only a part of it.
 */
export async function checkReadState(request: ChangeRequest): Promise<'known' | 'changed'> {
  const { path, current, context } = request
  const state = context.files.get(path)
  if (state?.isPartialView === true) throw new Error(`${NOT_READ} Only a part of it was shown so far.`)
  if (state === undefined) {
    if (!(await mayChangeUnread(request))) throw new Error(NOT_READ)
    return 'known'
  }
  const isTouched = state.mtimeMs !== current.info.mtimeMs || state.sizeBytes !== current.bytes.length
  return !isTouched || isSameContent(state, current.bytes) ? 'known' : 'changed'
}

/** Remembers content that this session has written. */
export function rememberWrite(
  context: ToolUseContext,
  path: string,
  written: { readonly info: FileInfo; readonly content: readonly Uint8Array[] },
): void {
  const { info, content } = written
  const digest = info.sizeBytes <= MAX_DIGEST_BYTES ? digestOf(Buffer.concat(content)) : undefined
  context.files.set(path, {
    mtimeMs: info.mtimeMs,
    sizeBytes: info.sizeBytes,
    source: 'write',
    isPartialView: false,
    ...(digest !== undefined && { digest }),
  })
  try {
    context.ui?.fileChanged?.(path)
  } catch {
    // A user interface never makes a call fail.
  }
}

/** `undefined` for content that is too large to be worth it. */
export function digestOf(bytes: Uint8Array): string | undefined {
  return bytes.length <= MAX_DIGEST_BYTES ? hash('sha1', bytes) : undefined
}

/** Read shows a notebook as cells, so an unread one is never overwritten. */
export function isNotebookPath(path: string): boolean {
  return extname(path).toLowerCase() === '.ipynb'
}

async function mayChangeUnread({
  path,
  context,
  canUseTool,
  isReadRequired = false,
}: ChangeRequest): Promise<boolean> {
  if (isReadRequired || context.flags?.allowsUnreadEdits !== true) return false
  const readTool = context.options.tools.find(({ name }) => name === 'Read')
  if (readTool === undefined) return false
  const decision = await canUseTool(readTool, { file_path: path })
  return decision.behavior === 'allow'
}

function isSameContent(state: FileReadState, bytes: Buffer): boolean {
  return state.digest !== undefined && state.sizeBytes === bytes.length && state.digest === digestOf(bytes)
}
