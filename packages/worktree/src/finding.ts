/** What would be lost, or stands in the way of a removal. */
export type FindingCode =
  | 'modified'
  | 'staged'
  | 'conflict'
  | 'untracked'
  | 'ignored'
  | 'hidden'
  | 'nested-repository'
  | 'submodule'
  | 'commits'
  | 'unpushed'
  | 'dropped-commits'
  | 'detached'
  | 'other-branch'
  | 'private-refs'
  | 'stash'
  | 'operation'
  | 'locked'
  | 'busy'
  | 'hook-made'
  | 'hook-failed'

/** One reason to keep a worktree. */
export interface Finding {
  /** The kind. */
  readonly code: FindingCode
  /** One sentence for people. */
  readonly message: string
  /** How many files, commits or entries. */
  readonly count: number
  /** The first 20 of them: paths from the top, or commits. */
  readonly examples: readonly string[]
}

const MAX_EXAMPLES = 20

/** Makes a finding of what was found; nothing when that is empty. */
export function findingOf(code: FindingCode, things: readonly string[], what: string): readonly Finding[] {
  if (things.length === 0) return []
  const examples = things.slice(0, MAX_EXAMPLES)
  const shown = examples.slice(0, 3).map(toWord).join(', ') + (things.length > 3 ? ', ...' : '')
  return [{ code, count: things.length, examples, message: `${what}: ${shown}` }]
}

/** Commits are shown short; a name may hold anything, and a message is one line. */
function toWord(thing: string): string {
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(thing)) return thing.slice(0, 10)
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(thing) ? escape(thing) : thing
}

function escape(text: string): string {
  const quoted = JSON.stringify(text)
  return quoted.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => String.raw`\u` + (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0'),
  )
}

/** Makes a finding that is about no list. */
export function plainFinding(code: FindingCode, message: string): readonly Finding[] {
  return [{ code, count: 1, examples: [], message }]
}
