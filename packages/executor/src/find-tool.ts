import type { Tool } from '@x/contract'

/** Finds a tool by its name, then by an alias. */
export type FindTool = (name: string) => Tool | undefined

/** Makes the look-up for one list of tools. The first of two equal names wins; a name wins over an alias. */
export function createFindTool(tools: readonly Tool[], unlisted: readonly Tool[] = []): FindTool {
  const names = new Map<string, Tool>()
  const aliases = new Map<string, Tool>()
  for (const tool of tools) if (!names.has(tool.name)) names.set(tool.name, tool)
  for (const tool of [...tools, ...unlisted]) {
    for (const alias of tool.aliases ?? []) if (!aliases.has(alias)) aliases.set(alias, tool)
  }
  return (name) => names.get(name) ?? aliases.get(name)
}
