/** The first `max` characters; half a character at the cut goes, and so does any other. */
export function cutHead(text: string, max: number): string {
  if (text.length <= max) return text.toWellFormed()
  return text.slice(0, isHighSurrogate(text.charCodeAt(max - 1)) ? max - 1 : max).toWellFormed()
}

/** Says what a cut has left out, in characters. */
type DescribeGap = (missing: number, total: number) => string

const gapOfResult: DescribeGap = (missing, total) => `\n[${missing} of ${total} characters left out here]\n`

/** The beginning and the end of a text that is longer than `max`, with a note between them that says what is missing. */
export function cutMiddle(text: string, max: number, describeGap = gapOfResult): string {
  if (text.length <= max) return text.toWellFormed()
  const head = cutHead(text, Math.ceil(max / 2))
  const tail = cutTail(text, Math.floor(max / 2))
  const missing = text.length - head.length - tail.length
  return `${head}\n${describeGap(missing, text.length)}\n${tail}`
}

/** What a thrown value says, whatever it is; never throws. */
export function describeError(error: unknown): string {
  try {
    const text = error instanceof Error ? error.message || error.name : describeValue(error)
    if (typeof text === 'string' && text.trim() !== '') return text
  } catch {
    // A hostile getter or toString: there is nothing to read.
  }
  return 'It failed without saying why.'
}

function describeValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function cutTail(text: string, max: number): string {
  if (max <= 0) return ''
  const start = text.length - max
  return text.slice(isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start).toWellFormed()
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
