/** The most that is loaded of a `MEMORY.md`, and so the most that is put there. */
const maxLines = 200
/** In bytes. */
const maxBytes = 25 * 1024

/** Longest fact. In characters. */
const maxFactChars = 300

/** What nobody sees, but may read: control and direction characters, private ones, tags. */
const unseen = /[\p{Cc}\p{Co}\u200B\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu

/** The facts that an answer lists, each on a line that begins with a dash. Whatever else it says is left out. */
export function parseFacts(answer: string): readonly string[] {
  return answer
    .toWellFormed()
    .split(/\r?\n/)
    .flatMap((line) => /^\s*[-*]\s+(.+)$/.exec(line)?.[1] ?? [])
    .map((fact) => fact.replaceAll(unseen, ' ').replaceAll(/\s+/g, ' ').trim())
    .filter((fact) => fact !== '' && fact.length <= maxFactChars)
}

/** What becomes of facts in a memory. */
export interface AddedFacts {
  /** What goes behind the memory; empty: nothing is new. */
  readonly text: string
  /** Facts in it. */
  readonly added: readonly string[]
  /** Facts that there is no room for. */
  readonly refused: readonly string[]
}

/** Puts facts behind a memory: each once, one a line, as long as all of it is loaded. What is there stays as it is. */
export function addFacts(memory: string, facts: readonly string[]): AddedFacts {
  const known = new Set(memory.split('\n').map(toKey))
  const added: string[] = []
  const refused: string[] = []
  let text = memory === '' || memory.endsWith('\n') ? '' : '\n'
  for (const fact of facts) {
    if (known.has(toKey(fact))) continue
    known.add(toKey(fact))
    const longer = `${text}- ${fact}\n`
    if (hasRoom(memory + longer)) {
      added.push(fact)
      text = longer
    } else refused.push(fact)
  }
  return { text: added.length === 0 ? '' : text, added, refused }
}

/** Is there no room for another fact? */
export function isFull(memory: string): boolean {
  return !hasRoom(`${memory.trimEnd()}\n- x`)
}

/** Is all of it loaded? */
function hasRoom(memory: string): boolean {
  return memory.trimEnd().split('\n').length <= maxLines && Buffer.byteLength(memory.trimEnd()) <= maxBytes
}

/** The same fact in other dress: case, blanks and the marks around it do not tell one from another. */
function toKey(line: string): string {
  return line
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
