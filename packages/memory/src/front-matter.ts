/** A rule file taken apart. */
export interface FrontMatter {
  /** The patterns in `paths`; nothing where the rule is for everything. */
  readonly globs: readonly string[] | undefined
  /** Where the text behind it starts. */
  readonly bodyStart: number
  /** What is wrong with it, with the line in the file. */
  readonly fault: { readonly line: number; readonly why: string } | undefined
}

/**
 * Reads the front matter of a rule: `paths` as a text with commas or a list. What is not valid YAML, as a pattern that begins with `*`,
 * is read line by line.
 */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const match = /^---[ \t]*\n(?:([^]*?)\n)??---[ \t]*(?:\n|$)/.exec(text)
  if (match === null) return { globs: undefined, bodyStart: 0, fault: undefined }
  const [whole, source = ''] = match
  const bodyStart = whole.length
  if (!/^['"]?paths['"]?[ \t]*:/m.test(source)) return { globs: undefined, bodyStart, fault: undefined }
  const parsed = await parseYaml(source)
  const globs = 'value' in parsed ? globsOf(parsed.value) : undefined
  if (globs !== undefined)
    return { globs: globs.length === 0 ? undefined : globs, bodyStart, fault: undefined }
  const recovered = recoverGlobs(source)
  const fault =
    'why' in parsed
      ? parsed
      : { line: 1 + lineOf(source), why: 'has paths that are neither text nor a list of texts' }
  return { globs: recovered.length === 0 ? undefined : recovered, bodyStart, fault }
}

/** Splits at commas and blanks around them, but not inside of braces: `{src,lib}/**, *.md`. */
function splitGlobs(text: string): readonly string[] {
  const parts = ['']
  let depth = 0
  for (const character of text) {
    if (character === '{') depth += 1
    if (character === '}') depth = Math.max(0, depth - 1)
    if (character === ',' && depth === 0) parts.push('')
    else parts.push(`${parts.pop() ?? ''}${character}`)
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

type Parsed = { readonly value: unknown } | { readonly line: number; readonly why: string }

/** Nobody writes more; the parser would take its time. */
const maxYamlLength = 16 * 1024

/** The parser is loaded for the first rule that needs it. */
async function parseYaml(source: string): Promise<Parsed> {
  if (source.length > maxYamlLength) return { line: 1, why: 'is longer than 16 KiB' }
  const { parseDocument } = await import('yaml')
  try {
    const document = parseDocument(source, { uniqueKeys: false, logLevel: 'silent', prettyErrors: true })
    const [error] = document.errors
    if (error !== undefined) return invalid(error, error.linePos?.[0].line ?? lineOf(source))
    const value: unknown = document.toJS({ maxAliasCount: 10 })
    return {
      value: typeof value === 'object' && value !== null && 'paths' in value ? value.paths : undefined,
    }
  } catch (error) {
    return invalid(error, lineOf(source))
  }
}

/** The line is one of the front matter, which begins behind its fence. */
function invalid(error: unknown, line: number): Parsed {
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return { line: line + 1, why: `is not valid YAML (${message.replace(/ at line.*/, '')})` }
}

/** Nothing for what is neither text nor a list of texts. */
function globsOf(value: unknown): readonly string[] | undefined {
  if (value === null || value === undefined) return []
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  const texts = items.filter((item) => typeof item === 'string')
  return texts.length === items.length ? texts.flatMap(splitGlobs) : undefined
}

function lineOf(source: string): number {
  return source.split('\n').findIndex((line) => pathsKey.test(line)) + 1
}

const pathsKey = /^['"]?paths['"]?[ \t]*:(.*)$/

/** Takes what stands behind the key, or the lines of its list, as they are. */
function recoverGlobs(source: string): readonly string[] {
  const lines = source.split('\n')
  const at = lines.findIndex((line) => pathsKey.test(line))
  const inline = withoutComment(pathsKey.exec(lines[at] ?? '')?.[1] ?? '').replace(/^\[(.*)\]$/, '$1')
  if (inline !== '' && !/^[>|][+-]?$/.test(inline)) return splitGlobs(inline).map(withoutQuotes)
  const end = lines.findIndex((line, index) => index > at && /^[^\s-]/.test(line))
  const items = lines.slice(at + 1, end < 0 ? lines.length : end)
  return items.flatMap((line) =>
    splitGlobs(withoutQuotes(withoutComment(line.replace(/^[ \t]*-[ \t]+/, '')))),
  )
}

function withoutComment(text: string): string {
  return text.replace(/[ \t]#[^]*$/, '').trim()
}

function withoutQuotes(text: string): string {
  return /^(['"])(.*)\1$/.exec(text)?.[2] ?? text
}
