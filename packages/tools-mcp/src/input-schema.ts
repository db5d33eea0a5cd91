import type { JsonObject } from '@x/contract'
import { z } from 'zod'
import { isRecord } from './is-record.ts'

/** What does not fit, and where. */
type Issue =
  | {
      readonly code: 'invalid_type'
      readonly expected: ExpectedType
      readonly path: PropertyKey[]
      readonly input: unknown
    }
  | {
      readonly code: 'invalid_value'
      readonly values: z.util.Primitive[]
      readonly path: PropertyKey[]
      readonly input: unknown
    }
  | {
      readonly code: 'unrecognized_keys'
      readonly keys: string[]
      readonly path: PropertyKey[]
      readonly input: JsonObject
    }

type ExpectedType = 'object' | 'array' | 'string' | 'number' | 'int' | 'boolean' | 'null'

const MAX_ISSUES = 20

/**
 * Makes the schema that a call's input must fit, out of a tool's JSON schema.
 *
 * The input goes through unchanged: no key is stripped, no default filled in. Checked is what a model gets wrong and what cannot be
 * taken for an error where there is none: missing parameters, types, listed values, keys that are ruled out. The rest (patterns,
 * formats, combinators, references) is checked by the server, whose schema it is; a pattern of a stranger could run for ever.
 */
export function createInputSchema(jsonSchema: JsonObject): z.ZodType<JsonObject> {
  return z.custom<JsonObject>(isRecord, 'expected an object').check((payload) => {
    const issues: Issue[] = []
    check({ schema: jsonSchema, value: payload.value, path: [] }, issues)
    payload.issues.push(...issues.slice(0, MAX_ISSUES))
  })
}

interface Place {
  readonly schema: unknown
  readonly value: unknown
  readonly path: PropertyKey[]
}

function check({ schema, value, path }: Place, issues: Issue[]): void {
  if (!isRecord(schema) || issues.length >= MAX_ISSUES) return
  const types = typesOf(schema)
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) {
    issues.push({ code: 'invalid_type', expected: toExpected(types), path, input: value })
    return
  }
  checkValues({ schema, value, path }, issues)
  if (isRecord(value)) checkObject({ schema, value, path }, issues)
  const { items } = schema
  if (Array.isArray(value) && isRecord(items) && schema['prefixItems'] === undefined) {
    for (const [index, item] of value.entries())
      check({ schema: items, value: item, path: [...path, index] }, issues)
  }
}

function checkValues(
  { schema, value, path }: Place & { readonly schema: JsonObject },
  issues: Issue[],
): void {
  const { enum: listed, nullable } = schema
  if (!Array.isArray(listed) || (value === null && nullable === true)) return
  const values = listed.filter(isPrimitive)
  // A list with objects in it needs a deep comparison: the server's matter.
  if (values.length < listed.length || values.some((one) => one === value)) return
  issues.push({ code: 'invalid_value', values, path, input: value })
}

function checkObject({ schema, value, path }: ObjectPlace, issues: Issue[]): void {
  const properties = schema['properties'] ?? {}
  // Anything else was refused when the tool was listed.
  if (!isRecord(properties)) return
  checkRequired({ schema, value, path }, { properties, issues })
  for (const [name, part] of Object.entries(value)) {
    if (!Object.hasOwn(properties, name)) continue
    check({ schema: properties[name], value: part, path: [...path, name] }, issues)
  }
  if (schema['additionalProperties'] !== false || schema['patternProperties'] !== undefined) return
  const keys = Object.keys(value).filter((name) => !Object.hasOwn(properties, name))
  if (keys.length > 0) issues.push({ code: 'unrecognized_keys', keys, path, input: value })
}

interface ObjectPlace extends Place {
  readonly schema: JsonObject
  readonly value: JsonObject
}

function checkRequired(
  { schema, value, path }: ObjectPlace,
  { properties, issues }: { readonly properties: JsonObject; readonly issues: Issue[] },
): void {
  const { required } = schema
  for (const name of Array.isArray(required) ? required : []) {
    if (typeof name !== 'string' || Object.hasOwn(value, name)) continue
    const expected = toExpected(typesOf(Object.hasOwn(properties, name) ? properties[name] : undefined))
    issues.push({ code: 'invalid_type', expected, path: [...path, name], input: undefined })
  }
}

function typesOf(schema: unknown): readonly string[] {
  if (!isRecord(schema)) return []
  const { type, nullable } = schema
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string')
  return types.length > 0 && nullable === true ? [...types, 'null'] : types
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isRecord(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'null':
      return value === null
    default:
      return typeof value === type
  }
}

function toExpected([first]: readonly string[]): ExpectedType {
  switch (first) {
    case 'integer':
      return 'int'
    case 'object':
    case 'array':
    case 'number':
    case 'boolean':
    case 'null':
      return first
    default:
      return 'string'
  }
}

function isPrimitive(value: unknown): value is z.util.Primitive {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}
