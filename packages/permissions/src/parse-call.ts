import type { JsonObject } from '@x/contract'
import { isRecord } from './is-record.ts'
import { editTools, readTools } from './tool-names.ts'

/** The input of a call, or why there is none. */
export type ParsedCall =
  | {
      /** It has been read. */
      readonly ok: true
      /** The input. */
      readonly input: JsonObject
    }
  | {
      /** It has not. */
      readonly ok: false
      /** Why, and what to write. */
      readonly message: string
    }

/** What one word means as the input of a tool. */
const subjects: ReadonlyMap<string, string> = new Map([
  ...readTools,
  ...editTools,
  ['Bash', 'command'],
  ['PowerShell', 'command'],
  ['Monitor', 'command'],
  ['WebFetch', 'url'],
  ['Skill', 'skill'],
  ['Agent', 'subagent_type'],
])

/**
 * Makes the input of a call from one text, as a person writes it: a command, a path, an address, or JSON. Never throws.
 *
 * @example
 * parseCall('Read', './a.ts') // { ok: true, input: { file_path: './a.ts' } }
 */
export function parseCall(toolName: string, text: string): ParsedCall {
  const field = subjects.get(toolName)
  if (text.trim() === '') return { ok: true, input: {} }
  if (text.trimStart().startsWith('{') && field !== 'command') return parseInput(toolName, text)
  if (field === undefined) return { ok: false, message: `give the input of ${toolName} as JSON` }
  const asJson = text.trimStart().startsWith('{') ? parseInput(toolName, text) : undefined
  return asJson?.ok === true ? asJson : { ok: true, input: { [field]: text } }
}

function parseInput(toolName: string, text: string): ParsedCall {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value)
      ? { ok: true, input: { ...value } }
      : { ok: false, message: 'the input must be an object' }
  } catch {
    return { ok: false, message: `the input of ${toolName} is no JSON` }
  }
}
