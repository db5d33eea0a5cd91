import type { BashSettings } from './options.ts'

/** What the model is told about the tool. */
export function describeBash({ defaultTimeoutMs, maxTimeoutMs }: BashSettings): string {
  return `Runs a shell command; both output streams come back in the order written. Default timeout ${defaultTimeoutMs} ms, at most ${maxTimeoutMs}.`
}
