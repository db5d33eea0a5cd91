import { randomBytes } from 'node:crypto'

/** The folder below a main checkout that holds its worktrees. */
export const WORKTREES = ['.claude', 'worktrees'] as const

const MAX_LENGTH = 64

/** Makes a name that nobody has. */
export function generateName(): string {
  return `agent-${randomBytes(5).toString('hex')}`
}

/** Says what is wrong with a name; undefined when it can be a folder and a branch everywhere. */
export function describeBadName(name: string): string | undefined {
  const isFine =
    name.length <= MAX_LENGTH &&
    /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name) &&
    !name.includes('..') &&
    !/(\.|\.lock)$/i.test(name)
  if (isFine) return undefined
  const rule = `1 to ${MAX_LENGTH} letters, digits, ".", "_" or "-", beginning with a letter or digit`
  return `${JSON.stringify(name.slice(0, 2 * MAX_LENGTH))} cannot name a worktree: use ${rule}.`
}

/** The branch of a worktree that git makes. */
export function branchOf(name: string): string {
  return `worktree-${name}`
}
