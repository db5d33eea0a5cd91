import type { ToolUseContext } from '@x/contract'
import type { SearchSettings } from './search-options.ts'
import { createPathJoiner, createPathShower, type SearchPlace } from './search-path.ts'

/** One search: where, for whom, with which settings. */
export interface Search {
  /** Where it runs. */
  readonly place: SearchPlace
  /** Aborts it. */
  readonly signal: AbortSignal
  /** The tool's settings. */
  readonly settings: SearchSettings
  /** Runs ripgrep. @throws Error with ripgrep's own words when nothing could be searched. */
  run(args: readonly string[], onLine: (line: string) => boolean): Promise<SearchEnd>
  /** The absolute path of one that ripgrep printed. */
  toAbsolute(printed: string): string
  /** How an absolute path is shown. */
  toShown(absolute: string): string
  /** The path must not appear in a result. */
  isHidden(absolute: string): boolean
}

/** How a search ended that did not fail. */
export interface SearchEnd {
  /** `onLine` ended it: there may be more. */
  readonly isStopped: boolean
  /** What could not be searched, in ripgrep's words. */
  readonly warning?: string
}

/** Prepares searches in one place. */
export function openSearch(place: SearchPlace, context: ToolUseContext, settings: SearchSettings): Search {
  const { signal } = context.abortController
  return {
    place,
    signal,
    settings,
    async run(args, onLine) {
      const { operations, timeoutMs } = settings
      let hasLines = false
      const end = await operations.ripgrep({
        args,
        cwd: place.root,
        env: context.options.env,
        signal,
        timeoutMs,
        onLine(line) {
          hasLines = true
          return onLine(line)
        },
      })
      signal.throwIfAborted()
      switch (end.kind) {
        case 'stopped':
          return { isStopped: true }
        case 'timed-out':
          throw new Error(
            `The search took longer than ${timeoutMs / 1000} seconds and was stopped. Search a smaller folder with path, or narrow the pattern.`,
          )
        case 'failed':
          throw new Error(end.message)
        case 'exited':
          return judgeExit(end.code, end.stderr.trim(), hasLines)
      }
    },
    toAbsolute: createPathJoiner(place.root),
    toShown: createPathShower(context.cwd),
    isHidden: settings.isHidden ?? (() => false),
  }
}

const FOUND = 0
const NOTHING_FOUND = 1

function judgeExit(code: number, stderr: string, hasLines: boolean): SearchEnd {
  if (code === FOUND || code === NOTHING_FOUND || hasLines || isAboutEntries(stderr)) {
    return stderr === '' ? { isStopped: false } : { isStopped: false, warning: stderr }
  }
  throw new Error(stderr === '' ? `ripgrep ended with exit code ${code}.` : stderr)
}

/** Messages of the system about single entries: the others were searched. */
function isAboutEntries(stderr: string): boolean {
  return stderr !== '' && stderr.split('\n').every((line) => /^rg: .*\(os error \d+\)$/u.test(line))
}
