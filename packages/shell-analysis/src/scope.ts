import type { Span, Via } from './types.ts'

/** Where the walk is. */
export interface Scope {
  /** The text that the positions of the nodes refer to. */
  readonly source: string
  /** The place in the analysed command that stands for all of `source`; undefined when they are the same. */
  readonly place: Span | undefined
  /** The steps so far. */
  readonly via: readonly Via[]
  /** Nested scripts, compound commands and started commands. */
  readonly depth: number
  /** The command that starts what is walked. */
  readonly startedBy: number | undefined
}

/** The place of a node in the analysed command. */
export function spanOf(node: { readonly pos: number; readonly end: number }, scope: Scope): Span {
  if (scope.place) return scope.place
  // In a script that is cut short the parser may point behind the end.
  const limit = scope.source.length
  const start = Math.min(node.pos, limit)
  return { start, end: Math.min(Math.max(start, node.end), limit) }
}

/** One step further in. */
export function enter(scope: Scope, step: Via | undefined): Scope {
  return step ? { ...scope, via: [...scope.via, step], depth: scope.depth + 1 } : scope
}
