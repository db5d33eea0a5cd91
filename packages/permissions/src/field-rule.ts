import type { JsonObject } from '@x/contract'
import type { Matcher } from './compiled-rule.ts'
import { compileWildcard } from './wildcard.ts'

/** A rule about one field of the input: `Agent(model:opus)`. */
export interface FieldRule {
  /** The name of the field. */
  readonly field: string
  /** What its value must be; `*` spans any text. */
  readonly value: string
}

/** Fields that the specifier of the tool speaks about itself. */
const primary: Readonly<Record<string, string>> = {
  Bash: 'command',
  Monitor: 'command',
  PowerShell: 'command',
  Read: 'file_path',
  Edit: 'file_path',
  Write: 'file_path',
  MultiEdit: 'file_path',
  Glob: 'path',
  Grep: 'path',
  NotebookEdit: 'notebook_path',
  WebFetch: 'url',
}

/** For tools whose own specifier may hold a colon: the fields that a rule can speak about. */
const fields: Readonly<Record<string, readonly string[]>> = {
  Bash: ['run_in_background', 'dangerouslyDisableSandbox', 'timeout', 'description'],
  Monitor: [
    'run_in_background',
    'dangerouslyDisableSandbox',
    'timeout',
    'description',
    'persistent',
    'timeout_ms',
  ],
  PowerShell: ['run_in_background', 'dangerouslyDisableSandbox', 'timeout', 'description'],
  Read: ['offset', 'limit', 'pages'],
  Edit: ['replace_all', 'old_string', 'new_string'],
  WebFetch: ['prompt'],
  Skill: ['skill', 'args'],
  Agent: [
    'model',
    'isolation',
    'run_in_background',
    'subagent_type',
    'description',
    'prompt',
    'name',
    'mode',
    'team_name',
    'max_turns',
    'cwd',
    'resume',
  ],
}

/** Reads the specifier as a rule about a field; undefined if it is none, a text if it is one that cannot count. */
export function readFieldRule(toolName: string, specifier: string): FieldRule | string | undefined {
  const match = /^\s*([A-Za-z_]\w*)\s*:/.exec(specifier)
  if (!match) return undefined
  const [start, field = ''] = match
  const value = specifier.slice(start.length).trim()
  if (own(primary, toolName) === field) {
    // `Bash(command:*)` is the old way to write `Bash(command *)`.
    if (value === '*' && field === 'command') return undefined
    return `${field} is what the parentheses of ${toolName} are about already; write the value alone`
  }
  const known = own(fields, toolName)
  return known === undefined || known.includes(field) ? { field, value } : undefined
}

/** Compares with the literal input; a field that is not there never matches. */
export function compileFieldMatcher({ field, value }: FieldRule): Matcher {
  const pattern = compileWildcard(value)
  return {
    kind: 'field',
    field,
    matches: (input: JsonObject) => {
      const found = Object.hasOwn(input, field) ? input[field] : undefined
      const isScalar = typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean'
      return isScalar && pattern.matches(String(found))
    },
  }
}

function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
