/** One complaint of a schema; the part of zod's issues that is read here. */
export interface InputIssue {
  readonly code?: string | undefined
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly expected?: string
  readonly keys?: readonly string[]
  readonly errors?: readonly (readonly InputIssue[])[]
}

/** The value at a path, looking at own properties only. */
export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}

/** The types the schema would take at the place of an issue. */
export function wantedTypes(issue: InputIssue): readonly string[] {
  if (issue.code === 'invalid_type' && issue.expected !== undefined) return [issue.expected]
  if (issue.code !== 'invalid_union') return []
  const branches = (issue.errors ?? []).flat()
  return branches.flatMap((branch) => (branch.path.length === 0 ? wantedTypes(branch) : []))
}
