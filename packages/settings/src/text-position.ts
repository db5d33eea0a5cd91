/** A place in a text as editors show it. */
export interface TextPosition {
  /** Counted from 1. */
  readonly line: number
  /** Counted from 1, in UTF-16 code units. */
  readonly column: number
}

/** Makes a function that turns offsets of one text into lines and columns. */
export function createPositions(text: string): (offset: number) => TextPosition {
  let starts: readonly number[] | undefined
  return (offset) => {
    starts ??= lineStarts(text)
    const line = countUpTo(starts, offset)
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 }
  }
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** How many of the sorted numbers are at most `limit`. */
function countUpTo(sorted: readonly number[], limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
