import type { z } from 'zod'

/** What a schema refuses, in words for the person who wrote the file. */
export interface SchemaIssue {
  /** Where, from the section on. */
  readonly path: readonly PropertyKey[]
  /** Follows the key in a sentence. */
  readonly message: string
  /** Only this key is wrong, not the entry around it. */
  readonly isExact: boolean
}

/** Turns the issues of a zod schema into one sentence each. */
export function toIssues(issues: readonly z.core.$ZodIssue[], value: unknown): readonly SchemaIssue[] {
  return issues.flatMap((issue) => toSchemaIssues(issue, value))
}

function toSchemaIssues(issue: z.core.$ZodIssue, value: unknown): readonly SchemaIssue[] {
  const { path } = issue
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    return toIssues(
      closestBranch(issue.errors).map((inner) => ({ ...inner, path: [...path, ...inner.path] })),
      value,
    )
  }
  if (issue.code === 'unrecognized_keys') {
    const message = 'is not known here; check its spelling or remove it'
    return issue.keys.map((key) => ({ path: [...path, key], message, isExact: true }))
  }
  if (issue.code === 'invalid_key') {
    const reason = issue.issues[0] === undefined ? '' : ` (${lowerFirst(issue.issues[0].message)})`
    return [
      { path, message: `is not a known name here${reason}; check its spelling or remove it`, isExact: true },
    ]
  }
  return [{ path, message: describe(issue, valueAt(value, path)), isExact: false }]
}

/** Of the alternatives of a union, the one the writer most likely meant: whose fault lies deepest, then the one with the fewest. */
function closestBranch(branches: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] {
  const depth = (branch: readonly z.core.$ZodIssue[]): number =>
    branch.reduce((deepest, issue) => Math.max(deepest, issue.path.length), 0)
  return branches.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)[0] ?? []
}

function describe(issue: z.core.$ZodIssue, found: unknown): string {
  if (issue.code === 'invalid_type') {
    const wanted = nameOfType(issue.expected)
    return found === undefined ? `is missing; give ${wanted}` : `must be ${wanted}, not ${nameOf(found)}`
  }
  if (issue.code === 'invalid_value') {
    const wanted = issue.values.map((one) => JSON.stringify(one)).join(', ')
    return found === undefined
      ? `is missing; give one of ${wanted}`
      : `must be one of ${wanted}, not ${shorten(found)}`
  }
  return `is not right: ${lowerFirst(issue.message)}`
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  return nameOfType(Array.isArray(value) ? 'array' : typeof value)
}

function nameOfType(type: string): string {
  if (type === 'record') return 'an object'
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    at = Reflect.get(at, step)
  }
  return at
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}
