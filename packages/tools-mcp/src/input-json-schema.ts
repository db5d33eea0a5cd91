import type { InputJsonSchema, JsonObject } from '@x/contract'
import { isRecord } from './is-record.ts'

/** A schema that can be sent to the model, or why not. */
export type SchemaReading =
  | { readonly ok: true; readonly schema: InputJsonSchema }
  | { readonly ok: false; readonly reason: string }

const MAX_SCHEMA_CHARS = 200_000
const MAX_DEPTH = 64

/**
 * Makes of a tool's input schema one that the model service takes; one request holds all tools, so a single bad one would fail them all.
 *
 * The schema goes through as it is, but for the root: it must say that it is an object, and what stands in combinators there moves
 * into it. A schema that is no valid JSON Schema is refused.
 */
export function toInputJsonSchema(value: unknown): SchemaReading {
  try {
    return readSchema(value)
  } catch {
    // Nested so deeply that not even its length can be told.
    return { ok: false, reason: 'its input schema cannot be read' }
  }
}

function readSchema(value: unknown): SchemaReading {
  if (value === undefined) return { ok: true, schema: { type: 'object', properties: {} } }
  if (!isRecord(value)) return { ok: false, reason: 'its input schema is no object' }
  if (JSON.stringify(value).length > MAX_SCHEMA_CHARS) {
    return { ok: false, reason: `its input schema is longer than ${MAX_SCHEMA_CHARS} characters` }
  }
  const fault = findSchemaFault(value, '')
  if (fault !== undefined) return { ok: false, reason: `its input schema is not valid at ${fault}` }
  const schema = flattenRoot(value)
  if (schema === undefined) return { ok: false, reason: 'its input is no object' }
  const oddKey = Object.keys(propertiesOf(schema)).find((key) => !/^[\w.-]{1,64}$/.test(key))
  if (oddKey === undefined) return { ok: true, schema }
  return {
    ok: false,
    reason: `the model service takes no parameter named ${JSON.stringify(oddKey.slice(0, 80))}`,
  }
}

function flattenRoot(root: JsonObject): InputJsonSchema | undefined {
  const { type, $ref, allOf, anyOf, oneOf, ...rest } = root
  // A part may forbid the properties of another one.
  const { additionalProperties: _, ...open } = rest
  if (type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object')))
    return undefined
  const referred = resolveReference(root, $ref)
  const all = [rest, ...(referred === undefined ? [] : [referred]), ...schemasIn(allOf)]
  const choices = [schemasIn(anyOf), schemasIn(oneOf)].filter((list) => list.length > 0)
  if (all.length === 1 && choices.length === 0) return { ...rest, type: 'object' }
  const required = [...all.flatMap(requiredOf), ...choices.flatMap(requiredByAll)]
  const { additionalProperties: __, ...base } = referred ?? {}
  return {
    ...base,
    ...open,
    type: 'object',
    properties: Object.assign({}, ...[...choices.flat(), ...all].map(propertiesOf)),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  }
}

/** What every branch of a choice wants is wanted. */
function requiredByAll(branches: readonly JsonObject[]): readonly string[] {
  const lists = branches.map(requiredOf)
  return (lists[0] ?? []).filter((name) => lists.every((list) => list.includes(name)))
}

function requiredOf({ required }: JsonObject): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isRecord(properties) ? properties : {}
}

function schemasIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function resolveReference(root: JsonObject, reference: unknown): JsonObject | undefined {
  const [, list, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(reference)) ?? []
  const definitions = list === undefined ? undefined : root[list]
  const found = isRecord(definitions) && name !== undefined ? definitions[name] : undefined
  return isRecord(found) ? found : undefined
}

type Check = (value: unknown, path: string) => string | undefined

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])

const isOf =
  (test: (value: unknown) => boolean): Check =>
  (value, path) =>
    test(value) ? undefined : path

const isTypeName = (value: unknown): boolean => typeof value === 'string' && TYPES.has(value)
const schema: Check = (value, path) =>
  typeof value === 'boolean' ? undefined : isRecord(value) ? findSchemaFault(value, path) : path
const schemaList: Check = (value, path) =>
  Array.isArray(value) && value.length > 0 ? firstFault(Object.entries(value), path) : path
const schemaMap: Check = (value, path) => (isRecord(value) ? firstFault(Object.entries(value), path) : path)

/** What the value of a keyword must be. Keywords that are not here may be anything. */
const keywords: Readonly<Record<string, Check>> = {
  type: isOf(
    (value) => isTypeName(value) || (Array.isArray(value) && value.length > 0 && value.every(isTypeName)),
  ),
  properties: schemaMap,
  patternProperties: schemaMap,
  $defs: schemaMap,
  definitions: schemaMap,
  dependentSchemas: schemaMap,
  additionalProperties: schema,
  propertyNames: schema,
  items: (value, path) =>
    Array.isArray(value) ? firstFault(Object.entries(value), path) : schema(value, path),
  prefixItems: schemaList,
  contains: schema,
  not: schema,
  if: schema,
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: schema,
  else: schema,
  allOf: schemaList,
  anyOf: schemaList,
  oneOf: schemaList,
  enum: isOf(Array.isArray),
  required: isOf((value) => Array.isArray(value) && value.every((name) => typeof name === 'string')),
  pattern: isOf((value) => typeof value === 'string' && isPattern(value)),
  description: isOf((value) => typeof value === 'string'),
  $ref: isOf((value) => typeof value === 'string'),
}

function findSchemaFault(value: JsonObject, path: string): string | undefined {
  if (path.split('/').length > MAX_DEPTH) return path
  for (const [keyword, part] of Object.entries(value)) {
    const check = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined
    const fault = check?.(part, `${path}/${keyword}`)
    if (fault !== undefined) return fault
  }
  return undefined
}

function firstFault(entries: readonly (readonly [string, unknown])[], path: string): string | undefined {
  for (const [name, part] of entries) {
    const fault = schema(part, `${path}/${name}`)
    if (fault !== undefined) return fault
  }
  return undefined
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}
