import { basename, dirname, extname, join } from 'node:path'
import type { ToolUseContext } from '@x/contract'
import type { FileOperations } from './file-operations.ts'

/** The error for a file that is not there, with a file of nearly the same name if there is one. */
export async function missingFile(
  path: string,
  context: ToolUseContext,
  operations: FileOperations,
): Promise<Error> {
  const suggestion = (await findSibling(path, operations)) ?? (await findInCwd(path, context, operations))
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
  return new Error(`File does not exist. Note: your current working directory is ${context.cwd}.${hint}`)
}

/** Same name in other case, or with another extension. */
async function findSibling(path: string, operations: FileOperations): Promise<string | undefined> {
  const folder = dirname(path)
  const names = await operations.list(folder).catch(() => [])
  const wanted = basename(path).toLowerCase()
  const stem = stemOf(wanted)
  const found =
    names.find((name) => name.toLowerCase() === wanted) ??
    names.find((name) => stemOf(name.toLowerCase()) === stem)
  return found === undefined ? undefined : join(folder, found)
}

/** Same name in the working folder: models like to guess a folder. */
async function findInCwd(
  path: string,
  { cwd }: ToolUseContext,
  operations: FileOperations,
): Promise<string | undefined> {
  const candidate = join(cwd, basename(path))
  if (candidate === path) return undefined
  const info = await operations.stat(candidate).catch(() => undefined)
  return info?.kind === 'file' ? candidate : undefined
}

function stemOf(name: string): string {
  return basename(name, extname(name))
}
