import type { ToolUseContext } from '@x/contract'
import { createLocalOperations } from './local-operations.ts'
import type { SearchOperations } from './search-operations.ts'

/** What both search tools can be told. */
export interface SearchOptions {
  /** Where the tools search. @default this machine, through ripgrep */
  readonly operations?: SearchOperations
  /** Path or name of ripgrep; without effect beside `operations`. @default the binary of `@vscode/ripgrep` */
  readonly ripgrepPath?: string
  /** A search that takes longer is an error, in milliseconds. @default 20_000 */
  readonly timeoutMs?: number
  /** Tells by its absolute path, and whose call it is, that a file must never appear in a result. Asked for each file found; must not throw. */
  readonly isHidden?: (absolutePath: string, context: ToolUseContext) => boolean
}

/** The same with every default in place. */
export interface SearchSettings {
  readonly operations: SearchOperations
  readonly timeoutMs: number
  readonly isHidden: ((absolutePath: string, context: ToolUseContext) => boolean) | undefined
}

/** @throws RangeError if the time limit is none. */
export function resolveSearchOptions(options: SearchOptions): SearchSettings {
  const {
    ripgrepPath,
    operations = createLocalOperations(ripgrepPath),
    timeoutMs = 20_000,
    isHidden,
  } = options
  assertPositive('timeoutMs', timeoutMs)
  return { operations, timeoutMs, isHidden }
}

/** @throws RangeError if the value is no positive whole number. */
export function assertPositive(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value > 0) return
  throw new RangeError(`${name} must be a positive whole number, got ${value}`)
}
