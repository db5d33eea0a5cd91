import type { Removal } from '@x/worktree'

/** Why a worktree stays, in one line. */
export function whyKept(removal: Exclude<Removal, { readonly type: 'removed' }>): string {
  return removal.type === 'unknown'
    ? `nobody can tell what is in it (${removal.why})`
    : removal.reasons.map(({ message }) => message).join('; ')
}
