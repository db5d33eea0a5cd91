import type { Tool } from '@x/contract'
import { coerceFailingPaths } from './coerce.ts'
import { describeIssues } from './describe-issues.ts'
import type { InputIssue } from './input-issue.ts'
import { describeError } from './text.ts'

/** An input that fits the schema, or what the model is told about it. */
export type ParsedInput =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string; readonly unexpectedKeys: readonly string[] }

/**
 * Checks an input against the tool's schema, strictly.
 *
 * Only where the schema wants a number or a boolean and a string that spells one came, the string is taken for it.
 */
export function parseInput(tool: Tool, input: unknown): ParsedInput {
  try {
    const first = tool.inputSchema.safeParse(input)
    if (first.success) return { ok: true, value: first.data }
    const coerced = coerceFailingPaths(input, first.error.issues)
    if (coerced === undefined) return failed(tool, input, first.error.issues)
    const second = tool.inputSchema.safeParse(coerced.input)
    return second.success
      ? { ok: true, value: second.data }
      : failed(tool, coerced.input, second.error.issues)
  } catch (error) {
    return refuse(`${heading(tool)}\nThe input could not be checked: ${describeError(error)}`)
  }
}

/** The answer to an input that is no JSON at all. */
export function refuseInput(tool: Tool, reason: string): ParsedInput {
  return refuse(`${heading(tool)}\nThe input is not valid JSON: ${reason}`)
}

function failed(tool: Tool, input: unknown, issues: readonly InputIssue[]): ParsedInput {
  const unexpectedKeys = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0 ? (issue.keys ?? []) : [],
  )
  return { ok: false, message: `${heading(tool)}\n${describeIssues(input, issues)}`, unexpectedKeys }
}

function refuse(message: string): ParsedInput {
  return { ok: false, message, unexpectedKeys: [] }
}

function heading(tool: Tool): string {
  return `InputValidationError: ${tool.name} failed due to the following issue(s):`
}
