import type { JsonObject } from '@x/contract'
import { isJsonObject } from '../json-object.ts'

/** Says what the service would refuse in `tools`; null when nothing. */
export function checkTools(tools: unknown): string | null {
  if (tools === undefined) return null
  if (!Array.isArray(tools)) return 'tools: Input should be a valid list'
  const names = new Set<unknown>()
  for (const [index, tool] of tools.entries()) {
    const fault = isJsonObject(tool) ? toolFault(tool) : ': Input should be a valid dictionary'
    if (fault !== null) return `tools.${index}${fault}`
    const name: unknown = isJsonObject(tool) ? tool['name'] : undefined
    if (names.has(name)) return 'tools: Tool names must be unique.'
    names.add(name)
  }
  return null
}

function toolFault(tool: JsonObject): string | null {
  const { name, type, input_schema: schema } = tool
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
    return `.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`
  }
  if (type !== undefined && type !== 'custom') return null
  const hasObjectSchema = isJsonObject(schema) && schema['type'] === 'object'
  return hasObjectSchema ? null : `.input_schema.type: Input should be 'object'`
}
