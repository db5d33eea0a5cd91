import type { SessionOptions, ToolUseContext } from './context.ts'
import { createSessionState } from './session-state.ts'

/** Options of `createToolUseContext`: the working folder, and whatever else should not be the default. */
export interface ToolUseContextOptions extends Partial<Omit<ToolUseContext, 'options'>> {
  /** Absolute path of the working folder. */
  readonly cwd: string
  /** Facts about the session. @default no tools, no model, nobody to ask, the project in `cwd` */
  readonly options?: Partial<SessionOptions>
}

/**
 * Makes a context to call a tool in without a session: what is not given is empty, and state is kept in memory.
 *
 * @example
 * const context = createToolUseContext({ cwd: process.cwd() })
 */
export function createToolUseContext({ cwd, options, ...rest }: ToolUseContextOptions): ToolUseContext {
  return {
    cwd,
    toolUseId: 'call_1',
    messages: [],
    options: { tools: [], model: 'none', isNonInteractive: true, projectDir: cwd, ...options },
    abortController: new AbortController(),
    chain: { id: 'alone', depth: 0 },
    files: new Map(),
    ...createSessionState(),
    ...rest,
  }
}
