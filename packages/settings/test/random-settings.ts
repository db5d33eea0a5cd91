import * as fc from 'fast-check'

/** Values of JSON; -0 is written as 0 and would not come back. */
export const jsonValue: fc.Arbitrary<unknown> = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)))
  .filter((value) => !JSON.stringify(value).includes('__proto__'))

const space = fc.constantFrom('', '', ' ', '\n', '\t', '\r\n', '/* c, } ] " */', '// l: { "\n')

/** The same value written with comments, white space and trailing commas in random places. */
export function jsonText(value: unknown): fc.Arbitrary<string> {
  return fc
    .infiniteStream(space)
    .chain((spaces) =>
      fc.boolean().map((hasTrailing) => writeValue(value, () => spaces.next().value ?? '', hasTrailing)),
    )
}

function writeValue(value: unknown, space: () => string, hasTrailing: boolean): string {
  const write = (inner: unknown): string => writeValue(inner, space, hasTrailing)
  const list = (parts: string[], open: string, close: string): string =>
    `${open}${parts.join(',')}${hasTrailing && parts.length > 0 ? `,${space()}` : space()}${close}`
  if (Array.isArray(value)) return space() + list(value.map(write), '[', ']') + space()
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, inner]) => `${space()}${JSON.stringify(key)}${space()}:${write(inner)}`,
    )
    return space() + list(members, '{', '}') + space()
  }
  return `${space()}${JSON.stringify(value)}${space()}`
}

/** An object with ordinary keys, in the order that JSON keeps. */
export const settingsValue: fc.Arbitrary<Record<string, unknown>> = fc.dictionary(
  fc.constantFrom('permissions', 'hooks', 'env', 'model', 'a', 'b c', 'x.y', 'ü'),
  jsonValue,
)
