import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { ToolUseContext } from '@x/contract'
import type { BashKit } from './bash-kit.ts'

/** A command that shows one file. */
export interface ShownFile {
  /** Remembers the file as seen, in the state it had before the command. */
  remember(): void
}

/** Looks at the file that a command such as `cat FILE` is about to show; `undefined` for any other command. */
export async function findShownFile(
  { analyze, settings: { operations } }: BashKit,
  command: string,
  context: ToolUseContext,
): Promise<ShownFile | undefined> {
  const named = analyze(command).readsOneFile?.path
  if (named === undefined) return undefined
  const path = await operations.realPath(toAbsolutePath(named, context))
  const info = path === undefined ? undefined : await operations.look(path)
  if (path === undefined || info === undefined || info.isFolder) return undefined
  const { mtimeMs, sizeBytes } = info
  return {
    remember: () => context.files.set(path, { mtimeMs, sizeBytes, source: 'shell', isPartialView: false }),
  }
}

function toAbsolutePath(path: string, context: ToolUseContext): string {
  const home = context.options.env?.['HOME'] ?? homedir()
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : resolve(context.cwd, path)
}
