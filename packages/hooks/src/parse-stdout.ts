import { isRecord } from './is-record.ts'
/** What the standard output of a hook is. */
export type ParsedStdout =
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'text'; readonly text: string; readonly hidesAnswer: boolean }
  | { readonly kind: 'broken'; readonly message: string }

/**
 * Tells an answer from other text: the whole output is one JSON object, or its first line is.
 *
 * An answer behind other output does not count, but is noticed (`hidesAnswer`), so that it can be told.
 */
export function parseStdout(output: string, isAnswer: IsAnswer): ParsedStdout {
  const text = output.trim()
  if (text === '') return { kind: 'empty' }
  if (!text.startsWith('{')) return { kind: 'text', text, hidesAnswer: hidesAnswer(text, isAnswer) }
  const whole = text.endsWith('}') ? parseObject(text) : undefined
  return whole === undefined ? parseLines(text, isAnswer) : { kind: 'json', value: whole }
}

type IsAnswer = (value: object) => boolean

/** Lines of an output that are looked at one by one; of a longer one the first line decides. */
const MAX_LINES = 1000

/** A text that begins like an object and is none: the first line may be, and the others may be JSON too. */
function parseLines(text: string, isAnswer: IsAnswer): ParsedStdout {
  const first = parseObject(text.split('\n', 1)[0] ?? '')
  if (first === undefined) return toBroken(text, isAnswer)
  const lines = text.split('\n', MAX_LINES + 1).filter((line) => line.trim() !== '')
  const values = text.endsWith('}') && lines.length <= MAX_LINES ? lines.map(parseJson) : []
  const areJson = values.length > 1 && values.every((value) => value !== undefined)
  if (!areJson || isAnswer(first)) return { kind: 'json', value: first }
  const hides = values.some((value) => isRecord(value?.value) && isAnswer(value.value))
  if (!hides) return { kind: 'text', text, hidesAnswer: false }
  return { kind: 'broken', message: 'several JSON lines, of which one is an answer; print the answer alone' }
}

function toBroken(text: string, isAnswer: IsAnswer): ParsedStdout {
  return text.endsWith('}')
    ? { kind: 'broken', message: `the output looks like JSON and is not: ${whyBroken(text)}` }
    : { kind: 'text', text, hidesAnswer: hidesAnswer(text, isAnswer) }
}

/** The object on one line, or `undefined`. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  const parsed = parseJson(text)
  return isRecord(parsed?.value) ? parsed.value : undefined
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function whyBroken(text: string): string {
  try {
    JSON.parse(text)
    return 'it is no object'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The most places of a long output at which an answer is looked for, from the end. */
const MAX_LOOKS = 20

function hidesAnswer(text: string, isAnswer: IsAnswer): boolean {
  let end = text.length
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const start = text.lastIndexOf('\n{', end)
    if (start === -1) return false
    const rest = text.slice(start + 1)
    const value = parseObject(rest) ?? parseObject(rest.split('\n', 1)[0] ?? '')
    if (value !== undefined && isAnswer(value)) return true
    end = start - 1
  }
  return false
}
