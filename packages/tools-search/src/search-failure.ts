import type { RipgrepEnd } from './search-operations.ts'

/** What has to be known of a run to tell a failure from a fault beside the results. */
export interface RunFacts {
  /** Something was found. */
  readonly hasResults: boolean
  /** A folder was searched, so that one bad entry says nothing about the others. */
  readonly isFolder: boolean
  /** The time limit that applied. */
  readonly timeoutMs: number
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

function judgeExit(code: number, stderr: string, { hasResults, isFolder }: RunFacts): string | undefined {
  if (code === FOUND || code === NOTHING_FOUND || hasResults) return describeFaults(stderr)
  if (isLineBreakRefusal(stderr)) {
    return 'The pattern contains a line break, which fits nothing without multiline: true.'
  }
  if (isFolder && isAboutEntries(stderr)) return describeFaults(stderr)
  throw new Error(stderr === '' ? `ripgrep ended with exit code ${code}.` : stderr.toWellFormed())
}

/** Without its multi-line option ripgrep refuses such a pattern; to the model it is one without matches. */
function isLineBreakRefusal(stderr: string): boolean {
  return /the literal .* is not allowed in a regex/u.test(stderr) && stderr.includes('--multiline')
}

/** Messages of the system about single entries: the others were searched. */
function isAboutEntries(stderr: string): boolean {
  return stderr !== '' && stderr.split('\n').every((line) => /^rg: .*\(os error \d+\)$/u.test(line))
}

const MAX_FAULTS = 5
const MAX_FAULT_CHARS = 150

function describeFaults(stderr: string): string | undefined {
  if (stderr === '') return undefined
  const lines = stderr.split('\n')
  const shown = lines
    .slice(0, MAX_FAULTS)
    .map((line) => line.replace(/^rg: (\.\/)?/u, '').slice(0, MAX_FAULT_CHARS))
  const rest = lines.length - shown.length
  const more = rest > 0 ? `; and ${rest} more` : ''
  return `Some entries could not be searched: ${shown.join('; ')}${more}`.toWellFormed()
}
