import type { PathStep } from './json-node.ts'

/** A way to a value: `'permissions.allow'`, or its steps where a key holds a dot. */
export type KeyPath = string | readonly PathStep[]

/** Reads `a.b[0].c`. */
export function toSteps(path: KeyPath): readonly PathStep[] {
  if (typeof path !== 'string') return path
  return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([key, index]) =>
    index === undefined ? key : Number(index),
  )
}
