import { isObject } from './is-object.ts'
import { type ParsedAgent, toDefinition } from './parse-agent-file.ts'
import type { AgentFiles } from './read-agent-folder.ts'

/** Definitions by name, as `--agents` and the option of that name give them: `prompt` in place of a body. */
export type AgentMap = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/**
 * Reads definitions that come as JSON text or as an object. A wrong entry is a problem and hides no other.
 * Never throws. Needs no trust: whoever starts the program wrote them.
 */
export function readAgentMap(given: string | AgentMap | undefined, place = '--agents'): AgentFiles {
  if (given === undefined) return { definitions: [], problems: [] }
  const map = typeof given === 'string' ? parse(given) : given
  if (!isObject(map)) {
    const reason = 'No JSON object of agents by name; ignored.'
    return { definitions: [], problems: [{ path: place, reason, level: 'warning' }] }
  }
  const parsed = Object.entries(map).map(([name, fields]) => readEntry(name, fields, place))
  return {
    definitions: parsed.flatMap(({ definition }) => definition ?? []),
    problems: parsed.flatMap(({ problems }) => problems),
  }
}

function readEntry(name: string, fields: unknown, place: string): ParsedAgent {
  const path = `${place}: ${name}`
  const wrong = (reason: string): ParsedAgent => ({ problems: [{ path, reason, level: 'warning' }] })
  if (!isObject(fields)) return wrong('The definition is no object; ignored.')
  if (typeof fields['prompt'] !== 'string') return wrong('There is no prompt; ignored.')
  const { color: _color, ...rest } = fields
  const parsed = toDefinition({ ...rest, name }, path, { source: 'flag' })
  // Somebody typed these just now: what is wrong with them is worth a word.
  return { ...parsed, problems: parsed.problems.map((one) => ({ ...one, level: 'warning' as const })) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
