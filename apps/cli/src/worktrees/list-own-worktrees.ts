import process from 'node:process'
import { parseArgs } from 'node:util'
import { type Inspection, inspectWorktree, type ListedWorktree, listWorktrees } from '@x/worktree'

/** Prints every worktree of ours, and what is in it. */
export async function listOwnWorktrees(argv: readonly string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({ args: [...argv], options: { json: { type: 'boolean' } } })
  const rows: Row[] = []
  for (const listed of await listWorktrees({ cwd: process.cwd(), signal })) {
    rows.push({ listed, inside: await inspectWorktree(listed.worktree, { signal }) })
  }
  if (values.json === true) {
    process.stdout.write(`${JSON.stringify(rows.map(toJson), undefined, 2)}\n`)
    return
  }
  const lines = rows.length === 0 ? ['This repository has no worktrees of ours.'] : rows.map(toLines)
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
    `${name}  ${state}${branch === undefined ? '' : ` [${branch}]`}  used ${at}${isSweepable ? '' : '  stays until you remove it'}`,
    `  ${path}`,
    ...(state === 'ready' ? [] : [`  ${detail}`]),
    `  ${describeInside(inside)}`,
  ].join('\n')
}

function describeInside(inside: Inspection): string {
  switch (inside.type) {
    case 'empty':
      return 'nothing new in it'
    case 'changed':
      return inside.reasons.map(({ message }) => message).join('; ')
    case 'unknown':
      return `nobody can tell what is in it: ${inside.why}`
  }
}
