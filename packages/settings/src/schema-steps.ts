import type { z } from 'zod'

/** A schema as the walk sees it. */
export type Schema = z.ZodType

/** The schemas that a value at one step below may have to meet; none if the schema does not tell. */
export function schemasBelow(schemas: readonly Schema[], step: PropertyKey): readonly Schema[] {
  return schemas.flatMap(unwrap).flatMap((schema) => below(schema, step))
}

/** Whether the schema takes objects whose keys are free, so that each key is an entry of its own. */
export function hasFreeKeys(schemas: readonly Schema[]): boolean {
  return schemas.flatMap(unwrap).some((schema) => defOf(schema).type === 'record')
}

/** Whether the schema takes objects. */
export function takesObjects(schemas: readonly Schema[]): boolean {
  return schemas.flatMap(unwrap).some((schema) => ['object', 'record'].includes(defOf(schema).type))
}

/** The schemas inside of optional, default, lazy, union and the like. */
function unwrap(schema: Schema, depth = 0): readonly Schema[] {
  const inner = depth > maxWrappers ? [] : innerSchemas(defOf(schema))
  return inner.length === 0 ? [schema] : inner.flatMap((one) => unwrap(one, depth + 1))
}

/** A lazy schema may hold itself. */
const maxWrappers = 16

function innerSchemas(def: SchemaDef): readonly Schema[] {
  const single = [def.innerType, def.getter?.(), def.in, def.out, def.left, def.right]
  return [...single.filter((inner) => inner !== undefined), ...(def.options ?? [])]
}

function below(schema: Schema, step: PropertyKey): readonly Schema[] {
  const { element, valueType, shape, catchall } = defOf(schema)
  const known = shape !== undefined && Object.hasOwn(shape, step) ? shape[String(step)] : undefined
  const found = element ?? valueType ?? known ?? catchall
  return found === undefined ? [] : [found]
}

/** The parts of zod's definitions that the walk follows; each kind of schema has some of them. */
interface SchemaDef {
  readonly type: string
  readonly innerType?: Schema
  readonly getter?: () => Schema
  readonly in?: Schema
  readonly out?: Schema
  readonly left?: Schema
  readonly right?: Schema
  readonly options?: readonly Schema[]
  readonly element?: Schema
  readonly valueType?: Schema
  readonly shape?: Readonly<Record<string, Schema>>
  readonly catchall?: Schema
}

function defOf(schema: Schema): SchemaDef {
  return schema.def
}
