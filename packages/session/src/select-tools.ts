import type { Tool } from '@x/contract'
import type { QueryOptions } from './session-options.ts'

/**
 * Picks the tools of a session from the built-in ones by its options; one of your own replaces a built-in one of its name.
 *
 * @throws TypeError for an unknown built-in tool.
 */
export function selectTools(builtIn: readonly Tool[], options: QueryOptions): readonly Tool[] {
  const { extraTools: extra = [], tools = 'default' } = options
  const replaced = new Set(extra.map(({ name }) => name))
  return [...pickBuiltIn(builtIn, tools).filter(({ name }) => !replaced.has(name)), ...extra]
}

function pickBuiltIn(builtIn: readonly Tool[], wanted: readonly string[] | 'default'): readonly Tool[] {
  if (wanted === 'default') return builtIn
  const names = wanted
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.includes('default')) return builtIn
  const unknown = names.filter((name) => findByName(builtIn, name) === undefined)
  if (unknown.length > 0) {
    const known = builtIn.map(({ name }) => name).join(', ')
    throw new TypeError(`tools names ${unknown.join(', ')}, which does not exist; there are: ${known}`)
  }
  return builtIn.filter((tool) => names.some((name) => findByName(builtIn, name) === tool))
}

function findByName(tools: readonly Tool[], name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name) ?? tools.find(({ aliases = [] }) => aliases.includes(name))
}
