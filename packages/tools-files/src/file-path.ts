import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import type { InputVerdict, ToolUseContext } from '@x/contract'

/** Makes the path of an input absolute: `~` is the home folder, anything else relative starts at the context's `cwd`. */
export function toAbsolutePath(path: string, context: ToolUseContext): string {
  if (path === '~' || path.startsWith('~/') || path.startsWith('~\\'))
    return join(home(context), path.slice(1))
  return isAbsolute(path) ? resolve(path) : resolve(context.cwd, path)
}

/** Refuses a path that no file system call takes. */
export function checkPath(path: string, field = 'file_path'): InputVerdict {
  if (path.trim() === '') return { ok: false, message: `${field} is empty. Name a file.` }
  if (!path.includes('\0')) return { ok: true }
  return { ok: false, message: `${field} contains a null byte (\\0). Remove it and try again.` }
}

/** The copy of an input that hooks and permissions see. */
export function withAbsolutePath<Input extends { file_path: string }>(
  input: Input,
  context: ToolUseContext,
): Input {
  return { ...input, file_path: toAbsolutePath(input.file_path, context) }
}

function home(context: ToolUseContext): string {
  return context.options.env?.['HOME'] ?? homedir()
}
