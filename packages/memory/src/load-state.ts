import type { MemoryPlan } from './memory-plan.ts'
import type { Rule } from './rule.ts'

/** What has been loaded, so that nothing is loaded twice. Never changed: each step makes a new one. */
export interface LoadState {
  /** Real paths of files. */
  readonly loaded: ReadonlySet<string>
  /** Folders below the start folder whose files were looked for. */
  readonly visited: ReadonlySet<string>
  /** Rules that wait for a file they are for. */
  readonly rules: readonly Rule[]
}

/** What one step works with. */
export interface LoadContext {
  readonly plan: MemoryPlan
  /** Real paths of files; grows during the step. */
  readonly loaded: Set<string>
  /** What was answered about imports, by real path. */
  readonly answers: Map<string, boolean>
  readonly signal: AbortSignal | undefined
}
