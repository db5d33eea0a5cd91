import type { ToolUseContext } from '@x/contract'
import { isProcessEnvironment } from './process-environment.ts'
import { describeFailure } from './search-failure.ts'
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
  readonly run: (args: readonly string[], onLine: (line: string) => boolean) => Promise<SearchEnd>
  /** The absolute path of one that ripgrep printed. */
  readonly toAbsolute: (printed: string) => string
  /** How an absolute path is shown. */
  readonly toShown: (absolute: string) => string
  /** The file may appear in a result. */
  readonly accepts: (absolute: string) => boolean
}

/** How a search ended that did not fail. */
interface SearchEnd {
  /** `onLine` ended it: there may be more. */
  readonly isStopped: boolean
  /** For the model: what could not be searched. */
  readonly note?: string
}

/** Prepares searches in one place. */
export function openSearch(place: SearchPlace, context: ToolUseContext, settings: SearchSettings): Search {
  const { signal } = context.abortController
  const { operations, timeoutMs, isHidden } = settings
  const toAbsolute = createPathJoiner(place.root)
  const accepts = (file: string): boolean => isHidden?.(file, context) !== true && !isProcessEnvironment(file)
  return {
    place,
    signal,
    settings,
    async run(args, onLine) {
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
      if (end.kind === 'stopped') return { isStopped: true }
      const note = describeFailure(end, {
        hasResults: hasLines,
        isFolder: place.target === './',
        timeoutMs,
        accepts: (printed) => accepts(toAbsolute(printed)),
      })
      return note === undefined ? { isStopped: false } : { isStopped: false, note }
    },
    toAbsolute,
    toShown: createPathShower(context.cwd),
    accepts,
  }
}
