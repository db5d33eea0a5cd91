import type { RipgrepEnd } from './search-operations.ts'

/** What has to be known of a run to tell a failure from a fault beside the results. */
export interface RunFacts {
  /** Something was found. */
  readonly hasResults: boolean
  /** A folder was searched, so that one bad entry says nothing about the others. */
  readonly isFolder: boolean
  /** The time limit that applied. */
  readonly timeoutMs: number
  /** An entry may be spoken of, by its path as printed. */
  readonly accepts: (printed: string) => boolean
}

const FOUND = 0
const NOTHING_FOUND = 1

/** Says what could not be searched; undefined if all was. @throws Error for the model if the search failed as a whole. */
export function describeFailure(
  end: Exclude<RipgrepEnd, { kind: 'stopped' }>,
  facts: RunFacts,
): string | undefined {
  switch (end.kind) {
    case 'timed-out':
      throw new Error(
        `The search took longer than ${facts.timeoutMs / 1000} seconds and was stopped. ` +
          'Search a smaller folder with path, or narrow the pattern.',
      )
    case 'failed':
      throw new Error(end.message)
    case 'exited':
      return judgeExit(end.code, end.stderr.trim(), facts)
  }
}

function judgeExit(code: number, stderr: string, facts: RunFacts): string | undefined {
  const { hasResults, isFolder, accepts } = facts
  if (code === FOUND || code === NOTHING_FOUND || hasResults) return describeFaults(stderr, accepts)
  if (isLineBreakRefusal(stderr)) {
    return 'The pattern contains a line break, which fits nothing without multiline: true.'
  }
  if (isFolder && FAULT.test(stderr)) return describeFaults(stderr, accepts)
  throw new Error(stderr === '' ? `ripgrep ended with exit code ${code}.` : stderr.toWellFormed())
}

/** Without its multi-line option ripgrep refuses such a pattern; to the model it is one without matches. */
function isLineBreakRefusal(stderr: string): boolean {
  return /the literal .* is not allowed in a regex/u.test(stderr) && stderr.includes('--multiline')
}

/** A message of the system about a single entry: the others were searched. */
const FAULT = /^rg: (.*): [^:\n]+\(os error \d+\)$/mu

const MAX_FAULTS = 5
const MAX_FAULT_CHARS = 150

function describeFaults(stderr: string, accepts: RunFacts['accepts']): string | undefined {
  const faults = stderr.split('\n').filter((line) => line !== '' && accepts(FAULT.exec(line)?.[1] ?? ''))
  if (faults.length === 0) return undefined
  const shown = faults
    .slice(0, MAX_FAULTS)
    .map((line) => line.replace(/^rg: (\.\/)?/u, '').slice(0, MAX_FAULT_CHARS))
  const more = faults.length > shown.length ? '; and more' : ''
  return `Some entries could not be searched: ${shown.join('; ')}${more}`.toWellFormed()
}
