import { type JsonObject, withoutUndefined } from '@x/contract'
import type { EnteredWorktree } from '@x/tools-worktree'

/** The kind of record that says in which worktree the session is. */
export const worktreeRecordType = 'worktree-state'

/** The record of a worktree that was entered; without one: that it was left. */
export function toWorktreeRecord(
  entered: EnteredWorktree | undefined,
): JsonObject & { readonly type: string } {
  return { type: worktreeRecordType, worktree: entered === undefined ? null : toPlain(entered) }
}

/** Whose it is, it is not told: a session that goes on is the main one. */
function toPlain(entered: EnteredWorktree): JsonObject {
  const { worktree, originalCwd, originalProjectDir, isNew, isNamed } = entered
  return withoutUndefined({ ...worktree, originalCwd, originalProjectDir, isNew, isNamed })
}

/** What the last record of the kind says: `left` where the session is in none any more; undefined where nothing was ever written. */
export function readWorktreeRecord(record: JsonObject | undefined): EnteredWorktree | 'left' | undefined {
  if (record === undefined) return undefined
  const value: unknown = record['worktree']
  return (typeof value === 'object' && value !== null ? read({ ...value }) : undefined) ?? 'left'
}

/** A record that somebody has changed leads nowhere. */
function read(value: Readonly<Record<string, unknown>>): EnteredWorktree | undefined {
  const { name, path, root, branch, base, originalCwd, originalProjectDir } = value
  if (!isText(name) || !isText(path) || !isText(root) || !isText(originalCwd)) return undefined
  return {
    worktree: {
      name,
      path,
      root,
      ...(isText(branch) && { branch }),
      ...(isText(base) && { base }),
      isHookMade: value['isHookMade'] === true,
    },
    originalCwd,
    ...(isText(originalProjectDir) && { originalProjectDir }),
    isNew: value['isNew'] === true,
    isNamed: value['isNamed'] !== false,
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
