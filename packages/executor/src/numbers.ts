import type { ExecutorOptions } from './types.ts'

const DEFAULT_MAX_CONCURRENCY = 10
const DEFAULT_END_GRACE_MS = 5_000

/** How many calls may run at once. The number often comes from an environment variable, so a senseless one changes nothing. */
export function maxConcurrencyOf({ maxConcurrency }: ExecutorOptions): number {
  const isSensible = maxConcurrency !== undefined && Number.isInteger(maxConcurrency) && maxConcurrency > 0
  return isSensible ? maxConcurrency : DEFAULT_MAX_CONCURRENCY
}

/** How long an answered call keeps its place. `Infinity` is for ever. */
export function endGraceMsOf({ endGraceMs = DEFAULT_END_GRACE_MS }: ExecutorOptions): number {
  if (endGraceMs >= 0) return endGraceMs
  throw new RangeError(`endGraceMs must be a number of at least 0, but is ${endGraceMs}`)
}
