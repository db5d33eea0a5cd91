import { type InputIssue, valueAt, wantedTypes } from './input-issue.ts'
import { cutHead } from './text.ts'

const MAX_LINES = 20
const MAX_LINE_CHARS = 300

/** Says each complaint on a line of its own, in words that a model can act on. */
export function describeIssues(input: unknown, issues: readonly InputIssue[]): string {
  const lines = issues.flatMap((issue) => describeIssue(input, issue))
  const shown = lines.slice(0, MAX_LINES).map((line) => cutHead(line, MAX_LINE_CHARS))
  if (lines.length > MAX_LINES) shown.push(`... and ${lines.length - MAX_LINES} more`)
  return shown.join('\n')
}

function describeIssue(input: unknown, issue: InputIssue): string[] {
  const name = nameOf(issue.path)
  if (issue.code === 'unrecognized_keys') {
    return (issue.keys ?? []).map(
      (key) => `An unexpected parameter \`${nameOf([...issue.path, key])}\` was provided`,
    )
  }
  const value = valueAt(input, issue.path)
  if (value === undefined && name !== '') return [`The required parameter \`${name}\` is missing`]
  const subject = name === '' ? 'The input' : `The parameter \`${name}\``
  const wanted = [...new Set(wantedTypes(issue))].join(' | ')
  const provided = typeOf(value)
  if (wanted === '' || wanted === provided) return [`${subject} is not valid: ${issue.message}`]
  return [`${subject} type is expected as \`${wanted}\` but provided as \`${provided}\``]
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name}[${key}]`
    return name === '' ? String(key) : `${name}.${String(key)}`
  }, '')
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
