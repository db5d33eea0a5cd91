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
  /** Levels of the syntax tree. */
  readonly level: number
  /** The command that starts what is walked. */
  readonly startedBy: number | undefined
}

/** The span of a node in the analysed command. */
export function spanIn(scope: Scope): (start: number, end: number) => Span {
  const { place, source } = scope
  // In a script that is cut short the parser may point behind the end.
  const within = (at: number) => Math.min(at, source.length)
  return place ? () => place : (start, end) => ({ start: within(start), end: within(Math.max(start, end)) })
}

/** One step further in. */
export function enter(scope: Scope, step: Via | undefined): Scope {
  return step ? { ...scope, via: [...scope.via, step], depth: scope.depth + 1 } : scope
}
