/** An object without the keys whose value may be undefined; they become optional. */
export type WithoutUndefined<Fields extends object> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name]
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>
}

/**
 * Copies an object without the keys whose value is undefined, so that an option that was not given does not win over a default.
 *
 * @example
 * withoutUndefined({ a: 1, b: undefined }) // { a: 1 }
 */
export function withoutUndefined<Fields extends object>(fields: Fields): WithoutUndefined<Fields> {
  const copy = { ...fields }
  for (const name of Reflect.ownKeys(copy)) {
    if (Reflect.get(copy, name) === undefined) Reflect.deleteProperty(copy, name)
  }
  return copy
}
