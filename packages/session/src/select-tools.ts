import type { Tool } from '@x/contract'
import type { QueryOptions } from './session-options.ts'

/** Built-in tools that are made when the session opens; their old names count too. */
const madeLater = new Set(['Agent', 'Task', 'SendMessage'])

/**
 * Picks the tools of a session from the built-in ones by its options; one of your own replaces a built-in one of its name.
 *
 * @throws TypeError for an unknown built-in tool.
 */
export function selectTools(builtIn: readonly Tool[], options: QueryOptions): readonly Tool[] {
  const wanted = wantedNames(options)
  const unknown = (wanted ?? []).filter(
    (name) => !madeLater.has(name) && findByName(builtIn, name) === undefined,
  )
  if (unknown.length > 0) {
    const known = builtIn.map(({ name }) => name).join(', ')
    throw new TypeError(
      `tools names ${unknown.join(', ')}, which does not exist; there are: ${known}, Agent, SendMessage`,
    )
  }
  return [...pickBuiltIn(builtIn, options), ...(options.extraTools ?? [])]
}

/** Picks from built-in tools that were made later. */
export function pickBuiltIn(builtIn: readonly Tool[], options: QueryOptions): readonly Tool[] {
  const wanted = wantedNames(options)
  const replaced = new Set((options.extraTools ?? []).map(({ name }) => name))
  return builtIn
    .filter(({ name }) => !replaced.has(name))
    .filter((tool) => wanted?.some((name) => findByName(builtIn, name) === tool) ?? true)
}

/** The names that the options list; undefined: all. */
function wantedNames({ tools = 'default' }: QueryOptions): readonly string[] | undefined {
  if (tools === 'default') return undefined
  const names = tools
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.includes('default') ? undefined : names
}

function findByName(tools: readonly Tool[], name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name) ?? tools.find(({ aliases = [] }) => aliases.includes(name))
}
