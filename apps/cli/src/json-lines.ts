import { StringDecoder } from 'node:string_decoder'

/** A longer line is an error. In UTF-16 units. */
const maxLineLength = 32 * 1024 * 1024

/** Reads JSON values, one a line, however the bytes were cut. A blank line is skipped; a bad or endless one is a SyntaxError. */
export async function* readJsonLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void> {
  const decoder = new StringDecoder('utf8')
  let number = 0
  // Pieces of a line that has not ended; joined once, so that a long line costs its length.
  let open: string[] = []
  let openLength = 0
  for await (const chunk of source) {
    const [head = '', ...rest] = decoder.write(Buffer.from(chunk)).split('\n')
    open.push(head)
    openLength += head.length
    if (openLength > maxLineLength)
      throw new SyntaxError(`line ${number + 1} on stdin is longer than ${maxLineLength} characters`)
    for (const next of rest) {
      number += 1
      yield* parseLine(open.join(''), number)
      open = [next]
      openLength = next.length
    }
  }
  yield* parseLine(open.join('') + decoder.end(), number + 1)
}

function* parseLine(line: string, number: number): Generator<unknown, void> {
  if (line.trim() === '') return
  try {
    yield JSON.parse(line)
  } catch (error) {
    throw new SyntaxError(
      `line ${number} on stdin is no JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
