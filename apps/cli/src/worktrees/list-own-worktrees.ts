import process from 'node:process'
import { parseArgs } from 'node:util'
import { type Inspection, inspectWorktree, type ListedWorktree } from '@x/worktree'
import { toLine } from '../live/paint.ts'
import { whyKept } from '../place/why-kept.ts'
import { ownWorktrees } from './own-worktrees.ts'

/** Prints every worktree of ours, and what is in it. */
export async function listOwnWorktrees(argv: readonly string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({ args: [...argv], options: { json: { type: 'boolean' } } })
  const rows: Row[] = []
  for (const listed of await ownWorktrees(signal)) {
    rows.push({ listed, inside: await inspectWorktree(listed.worktree, { signal }) })
  }
  if (values.json === true) {
    process.stdout.write(`${JSON.stringify(rows.map(toJson), undefined, 2)}\n`)
    return
  }
  const lines = rows.length === 0 ? ['There are no worktrees below .claude/worktrees.'] : rows.map(toLines)
  process.stdout.write(`${lines.join('\n')}\n`)
}

interface Row {
  readonly listed: ListedWorktree
  readonly inside: Inspection
}

function toJson({ listed: { worktree, state, detail, usedAtMs, isSweepable }, inside }: Row) {
  const { name, path, branch, base } = worktree
  return {
    name,
    path,
    branch,
    base,
    state,
    detail,
    usedAt: new Date(usedAtMs).toISOString(),
    isSweepable,
    contents: inside.type,
    ...(inside.type === 'changed' && { reasons: inside.reasons }),
    ...(inside.type === 'unknown' && { why: inside.why }),
  }
}

function toLines({ listed: { worktree, state, detail, usedAtMs, isSweepable }, inside }: Row): string {
  const { name, path, branch } = worktree
  const at = new Date(usedAtMs).toISOString().slice(0, 16).replace('T', ' ')
  return [
    `${oneLine(name)}  ${state}${branch === undefined ? '' : ` [${branch}]`}  used ${at} UTC${isSweepable ? '' : '  stays until you remove it'}`,
    `  ${oneLine(path)}`,
    ...(state === 'ready' ? [] : [`  ${oneLine(detail)}`]),
    // Of these nothing more is known than that.
    ...(state === 'missing' || state === 'unregistered'
      ? []
      : [`  ${oneLine(describeInside(inside, path))}`]),
  ].join('\n')
}

/** A folder that somebody else made may have any name. */
function oneLine(text: string): string {
  return toLine(text, Infinity)
}

function describeInside(inside: Inspection, path: string): string {
  switch (inside.type) {
    case 'empty':
      return 'nothing new in it'
    case 'changed':
      return whyKept({ type: 'kept', reasons: inside.reasons, path })
    case 'unknown':
      return whyKept({ ...inside, path })
  }
}
