/** Checks the parts of a tool. @throws TypeError that names the part, what was expected and what came. */
export function assertTool(tool: unknown): void {
  if (typeof tool !== 'object' || tool === null) fail('tool', 'a plain object', tool)
  const prototype: unknown = Object.getPrototypeOf(tool)
  if (prototype !== Object.prototype && prototype !== null) fail('tool', 'a plain object', tool)
  const parts = new Map<string, unknown>(Object.entries(tool))
  for (const [name, rule] of rules) {
    const value = parts.get(name)
    if (value === undefined && rule.isOptional === true) continue
    if (!rule.isValid(value)) fail(name, rule.expected, value)
  }
}

interface Rule {
  readonly expected: string
  readonly isOptional?: boolean
  isValid(value: unknown): boolean
}

const text: Rule = {
  expected: 'a text that is not empty',
  isValid: (value) => typeof value === 'string' && value.trim() !== '',
}

const method: Rule = { expected: 'a function', isValid: (value) => typeof value === 'function' }

const flag: Rule = { expected: 'true or false', isValid: (value) => typeof value === 'boolean' }

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [
    'name',
    {
      expected: '1 to 128 letters, digits, "_" or "-"',
      isValid: (value) => typeof value === 'string' && /^[\w-]{1,128}$/.test(value),
    },
  ],
  [
    'aliases',
    optional({
      expected: 'a list of texts that are not empty',
      isValid: (value) => Array.isArray(value) && value.every((alias) => text.isValid(alias)),
    }),
  ],
  ['description', text],
  ['inputSchema', { expected: 'a zod schema', isValid: isSchema }],
  [
    'inputJsonSchema',
    optional({
      expected: 'a JSON schema of type "object"',
      isValid: (value) =>
        typeof value === 'object' && value !== null && 'type' in value && value.type === 'object',
    }),
  ],
  ['call', method],
  ['mapResult', method],
  ...[
    'validateInput',
    'backfillInput',
    'isConcurrencySafe',
    'isReadOnly',
    'isDestructive',
    'failureCancelsSiblings',
    'interruptBehavior',
  ].map((name): [string, Rule] => [name, optional(method)]),
  ...['shouldDefer', 'alwaysLoad', 'requiresUserInteraction'].map((name): [string, Rule] => [
    name,
    optional(flag),
  ]),
  [
    'maxResultSizeChars',
    optional({
      expected: 'a number of characters above 0, or Infinity',
      isValid: (value) => typeof value === 'number' && value > 0,
    }),
  ],
])

function optional(rule: Rule): Rule {
  return { ...rule, isOptional: true }
}

// By its shape: the schema may come from another installed copy of zod.
function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '_zod' in value && 'safeParse' in value
}

function fail(name: string, expected: string, value: unknown): never {
  throw new TypeError(`${name}: expected ${expected}, got ${describe(value)}`)
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 200).toWellFormed())
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'object') return typeof value === 'undefined' ? 'nothing' : `a ${typeof value}`
  return `an object of ${value.constructor?.name ?? 'no class'}`
}
