import { type EffortLevel, effortLevels, type JsonObject } from '@x/contract'
import type { AgentDefinition, AgentPermissionMode } from './definition.ts'
import { isObject } from './is-object.ts'
import { splitToolList } from './tool-list.ts'

/** The fields of a definition that are read here; all others are ignored. */
export type AgentFields = Partial<
  Omit<AgentDefinition, 'name' | 'description' | 'prompt' | 'source' | 'path'>
>

/** Says something about a field that could not be taken as it stands. */
type Note = (text: string) => void

type Readers = { readonly [Field in keyof AgentFields]-?: (value: unknown, note: Note) => AgentFields[Field] }

/** Reads the fields beside name, description and prompt; what cannot be read is left out with a note. */
export function readAgentFields(given: Readonly<Record<string, unknown>>, note: Note): AgentFields {
  const entries = Object.entries(readers).flatMap(([name, read]) => {
    const raw = Object.hasOwn(given, name) ? given[name] : undefined
    if (raw === undefined) return []
    const value = read(raw, (text) => note(`${name}: ${text}`))
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

/** A text that is more than blanks. */
export function readText(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' ? undefined : text.toWellFormed()
}

const modes = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'] as const
const colors = ['red', 'blue', 'green', 'yellow', 'purple', 'orange', 'pink', 'cyan']

const readers: Omit<Readers, 'isOneShot' | 'skipsProjectContext' | 'isFork'> = {
  tools: (value) => (isWildcard(value) ? undefined : splitToolList(value)),
  disallowedTools: splitToolList,
  model: readModel,
  permissionMode: (value, note): AgentPermissionMode | undefined =>
    value === 'manual' ? 'default' : oneOf(modes, value, note),
  maxTurns: readCount,
  skills: splitToolList,
  mcpServers: readServers,
  hooks: (value, note) => (isObject(value) ? value : ignored(value, note)),
  memory: (value, note) => oneOf(['user', 'project', 'local'], value, note),
  background: readBoolean,
  effort: (value, note): EffortLevel | undefined => oneOf(effortLevels, value, note),
  isolation: (value, note) => oneOf(['worktree'], value, note),
  color: readColor,
  initialPrompt: readText,
}

/** A lone star is how people write "all of them". */
function isWildcard(value: unknown): boolean {
  const entries = splitToolList(value)
  return entries.length === 1 && entries[0] === '*'
}

/** A name with blanks is what another program shows its users; no service knows it. */
function readModel(value: unknown, note: Note): string | undefined {
  const name = readText(value)
  if (name === undefined || name.toLowerCase() === 'inherit') return undefined
  if (/[\s()]/.test(name)) {
    note(`"${name}" is no model name; the session's model is used`)
    return undefined
  }
  return aliases.has(name.toLowerCase()) ? name.toLowerCase() : name
}

const aliases = new Set(['sonnet', 'opus', 'haiku', 'fable'])

function readColor(value: unknown, note: Note): string | undefined {
  const color = readText(value)
  if (color === undefined) return undefined
  if (!colors.includes(color.toLowerCase())) note(`"${color}" is none of ${colors.join(', ')}`)
  return color
}

function readCount(value: unknown, note: Note): number | undefined {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof count === 'number' && Number.isSafeInteger(count) && count > 0) return count
  return ignored(value, note)
}

function readBoolean(value: unknown, note: Note): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value
  if (word === true || word === 'true' || word === 'yes') return true
  if (word === false || word === 'false' || word === 'no') return false
  return ignored(value, note)
}

function readServers(value: unknown, note: Note): readonly (string | JsonObject)[] | undefined {
  const list = Array.isArray(value) ? value : isObject(value) ? [value] : splitToolList(value)
  const usable = list.filter(
    (entry): entry is string | JsonObject => typeof entry === 'string' || isObject(entry),
  )
  if (usable.length < list.length) note(`${list.length - usable.length} entries are no server and ignored`)
  return usable.length === 0 ? undefined : usable
}

function oneOf<Word extends string>(words: readonly Word[], value: unknown, note: Note): Word | undefined {
  const text = readText(value)
  return words.find((word) => word.toLowerCase() === text?.toLowerCase()) ?? ignored(value, note)
}

function ignored(value: unknown, note: Note): undefined {
  if (value !== null && value !== '') note(`${shown(value)} is ignored`)
  return undefined
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? `"${value}"` : (JSON.stringify(value) ?? typeof value)
  return text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text
}

/** Every field that may stand in a file. */
export const knownFields: ReadonlySet<string> = new Set([
  'name',
  'description',
  'prompt',
  ...Object.keys(readers),
])
