import { knownFields, readAgentFields, readText } from './agent-fields.ts'
import type { AgentDefinition, AgentProblem, AgentSource } from './definition.ts'
import { parseFrontMatter } from './front-matter.ts'

/** Where a definition was found, for what may count in it. */
export interface AgentOrigin {
  /** Where it comes from. @default 'project' */
  readonly source?: AgentSource
  /** For a file of a plugin: the plugin and the folders inside it, joined by colons. */
  readonly plugin?: string
  /** The folder it belongs to is trusted: hooks, servers and a bypass of permissions in a project's file count. @default true */
  readonly isTrusted?: boolean
}

/** What came of one file. A document, which has no name, gives neither. */
export interface ParsedAgent {
  /** The definition, if there is one. */
  readonly definition?: AgentDefinition
  /** What is wrong with it. */
  readonly problems: readonly AgentProblem[]
}

/**
 * Reads one agent file. Tolerant: a file whose front matter is no YAML is read field by field, unknown fields are ignored,
 * a value that makes no sense is left out with a note. Never throws.
 *
 * @example
 * parseAgentFile('---\nname: rev\ndescription: Reviews.\ntools: Read, Grep\n---\nYou review.', 'rev.md').definition?.tools // ['Read', 'Grep']
 */
export function parseAgentFile(text: string, path: string, origin: AgentOrigin = {}): ParsedAgent {
  const parts = parseFrontMatter(text, knownFields)
  if (parts === undefined) return { problems: [] }
  const { fields, body, fault } = parts
  const given = origin.plugin === undefined ? fields : withFileName(fields, path)
  const parsed = toDefinition({ ...given, prompt: body }, path, origin)
  if (fault === undefined) return parsed
  const reason = `The front matter is no valid YAML (${fault}); its fields were read one by one.`
  return { ...parsed, problems: [{ path, reason, level: 'debug' }, ...parsed.problems] }
}

/**
 * Makes a definition of fields that were read already (`--agents`, an option). `path` says where they come from.
 * Never throws.
 */
export function toDefinition(
  fields: Readonly<Record<string, unknown>>,
  path: string,
  origin: AgentOrigin = {},
): ParsedAgent {
  const name = readText(fields['name'])?.replaceAll(/\s+/g, ' ')
  if (name === undefined) return { problems: [] }
  const problems: AgentProblem[] = []
  const note = (reason: string, level: AgentProblem['level'] = 'debug'): void =>
    void problems.push({ path, reason, level })
  const description = readText(fields['description'])
  const refusal = refuse(name, description)
  if (refusal !== undefined || description === undefined) {
    note(refusal ?? 'There is no description.')
    return { problems }
  }
  const { source = 'project', plugin } = origin
  const known = withoutForbidden(readAgentFields(fields, note), origin, note)
  const fullName = plugin === undefined ? name : `${plugin}:${name}`
  const prompt = (typeof fields['prompt'] === 'string' ? fields['prompt'] : '').toWellFormed()
  return { definition: { ...known, name: fullName, description, prompt, source, path }, problems }
}

function refuse(name: string, description: string | undefined): string | undefined {
  if (name.startsWith('-')) return `The name "${name}" starts with a hyphen.`
  if (name.includes(':')) return `The name "${name}" holds a colon, which is for plugins.`
  return description === undefined ? 'There is no description.' : undefined
}

function withFileName(
  fields: Readonly<Record<string, unknown>>,
  path: string,
): Readonly<Record<string, unknown>> {
  const fileName = /([^/\\]+?)(?:\.md)?$/i.exec(path)?.[1]
  return { ...fields, name: readText(fields['name']) ?? fileName }
}

type Fields = ReturnType<typeof readAgentFields>

type Note = (reason: string, level?: AgentProblem['level']) => void

/** Takes out what its origin may not say. */
function withoutForbidden(fields: Fields, origin: AgentOrigin, note: Note): Fields {
  const { source = 'project', plugin, isTrusted = true } = origin
  if (plugin !== undefined) return withoutPluginFields(fields, note)
  return isTrusted || source !== 'project' ? fields : withoutPrograms(withoutBypass(fields, note), note)
}

function withoutPluginFields({ hooks, mcpServers, permissionMode, ...rest }: Fields, note: Note): Fields {
  const isSaid = [hooks, mcpServers, permissionMode].some((value) => value !== undefined)
  if (isSaid) note('hooks, mcpServers and permissionMode of a plugin are ignored.')
  return rest
}

/** As in settings: whoever wrote the folder does not decide that nothing in it is asked about. */
function withoutBypass({ permissionMode, ...rest }: Fields, note: Note): Fields {
  if (permissionMode === undefined) return rest
  if (permissionMode !== 'bypassPermissions' && permissionMode !== 'auto') return { ...rest, permissionMode }
  const fault = `The folder is not trusted: its permissionMode ${permissionMode} is left out`
  note(`${fault}; the agent runs in the session's mode.`, 'warning')
  return rest
}

/** Without what starts programs: servers that are named only stand in the session's own configuration. */
function withoutPrograms({ hooks, mcpServers = [], ...rest }: Fields, note: Note): Fields {
  const names = mcpServers.filter((server) => typeof server === 'string')
  if (hooks !== undefined || names.length < mcpServers.length) {
    note(
      'The folder is not trusted: its hooks and MCP servers are left out; the agent runs without.',
      'warning',
    )
  }
  return names.length === 0 ? rest : { ...rest, mcpServers: names }
}
