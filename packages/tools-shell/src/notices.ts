/** One notice a line; empty ones are none. */
export function toLines(notices: readonly string[]): string {
  return notices.filter((notice) => notice !== '').join('\n')
}

/** Milliseconds as people read them: `120s`, `0.5s`. */
export function toSeconds(ms: number): string {
  return `${Math.round(ms / 100) / 10}s`
}
