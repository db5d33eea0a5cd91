import type { Removal } from '@x/worktree'

/** Why a worktree stays, in one line. */
export function whyKept(removal: Exclude<Removal, { readonly type: 'removed' }>): string {
  return removal.type === 'unknown'
    ? toLine(`nobody can tell what is in it (${removal.why})`)
    : toLine(removal.reasons.map(({ message }) => message).join('; '))
}

/** What git says may have several lines. */
function toLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}
