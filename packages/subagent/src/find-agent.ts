import type { AgentDefinition } from './definition.ts'

/** The definition of a type; case and separators do not matter, an exact name wins. */
export function findAgent(
  definitions: readonly AgentDefinition[],
  type: string,
): AgentDefinition | undefined {
  const wanted = plainName(type)
  return (
    definitions.find(({ name }) => name === type) ??
    definitions.find(({ name }) => wanted !== '' && plainName(name) === wanted)
  )
}

/** The definitions of these types, in their order; all of them where nothing says which. */
export function pickAgents(
  definitions: readonly AgentDefinition[],
  types: readonly string[] | undefined,
): readonly AgentDefinition[] {
  return types?.flatMap((type) => findAgent(definitions, type) ?? []) ?? definitions
}

/** The colon of a plugin's name is no separator: it tells two agents apart. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_.-]+/g, '')
}
