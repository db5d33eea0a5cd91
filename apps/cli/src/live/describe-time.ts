/** A span of time as a person reads it: `284 ms`, `4.8 s`, `2 min 5 s`. */
export function describeTime(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  const tenths = Math.round(ms / 100)
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
