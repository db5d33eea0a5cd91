import type { InputJsonSchema, Tool, ToolDefinition } from '@x/contract'
import { z } from 'zod'

const definitions = new WeakMap<Tool, ToolDefinition>()

/** Gives the definitions for a turn's tools; see `createToolDefinitions`. */
export type ToolDefinitions = (tools: readonly Tool[]) => readonly ToolDefinition[]

/**
 * Creates the maker of tool definitions for one query.
 *
 * A tool that was there before keeps its place and its bytes, new ones follow, so that the prefix of the request stays stable.
 * Each schema is derived once per tool object.
 */
export function createToolDefinitions(): ToolDefinitions {
  const places = new Map<string, number>()
  let last: readonly ToolDefinition[] = []
  return (tools) => {
    for (const tool of tools) if (!places.has(tool.name)) places.set(tool.name, places.size)
    const place = (definition: ToolDefinition): number => places.get(definition.name) ?? 0
    const next = tools.map(defineForModel).sort((left, right) => place(left) - place(right))
    if (next.length !== last.length || next.some((definition, index) => definition !== last[index]))
      last = next
    return last
  }
}

function defineForModel(tool: Tool): ToolDefinition {
  const known = definitions.get(tool)
  if (known !== undefined) return known
  const definition: ToolDefinition = {
    name: tool.name,
    description: tool.description,
    input_schema: tool.inputJsonSchema ?? deriveSchema(tool),
  }
  definitions.set(tool, definition)
  return definition
}

function deriveSchema(tool: Tool): InputJsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.inputSchema, { io: 'input' })
  if (schema.type !== 'object') {
    throw new TypeError(`The input schema of tool ${tool.name} must be an object, not ${String(schema.type)}`)
  }
  return { ...schema, type: 'object' }
}
