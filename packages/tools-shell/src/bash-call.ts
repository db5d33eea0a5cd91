import type { ToolUseContext } from '@x/contract'
import type { BashInput } from './bash-input.ts'
import type { BashProgress } from './progress.ts'

/** One call of the tool. */
export interface BashCall {
  /** Its input. */
  readonly input: BashInput
  /** Its context. */
  readonly context: ToolUseContext
  /** Hears how it goes on. */
  readonly onProgress: (progress: BashProgress) => void
}
