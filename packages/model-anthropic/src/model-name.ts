/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Turns an alias (`opus`, `sonnet`, `haiku`, `fable`) into a model name; other names stay as they are.
 *
 * `ANTHROPIC_DEFAULT_OPUS_MODEL` and its siblings say what an alias stands for. A suffix `[1m]` is kept.
 */
export function resolveModelName(name: string, env: Environment = {}): string {
  const [, alias = '', suffix = ''] = /^(.*?)(\[1m\])?$/i.exec(name.trim()) ?? []
  const family = families.get(alias.toLowerCase())
  if (family === undefined) return name.trim()
  const chosen = family.variables
    .map((variable) => env[variable]?.trim())
    .find((value) => (value ?? '') !== '')
  return `${chosen ?? family.model}${suffix.toLowerCase()}`
}

interface Family {
  readonly model: string
  readonly variables: readonly string[]
}

// The newest of each family in November 2026.
const families: ReadonlyMap<string, Family> = new Map([
  ['opus', { model: 'claude-opus-5-5', variables: ['ANTHROPIC_DEFAULT_OPUS_MODEL'] }],
  ['sonnet', { model: 'claude-sonnet-5-5', variables: ['ANTHROPIC_DEFAULT_SONNET_MODEL'] }],
  [
    'haiku',
    { model: 'claude-haiku-5-5', variables: ['ANTHROPIC_DEFAULT_HAIKU_MODEL', 'ANTHROPIC_SMALL_FAST_MODEL'] },
  ],
  ['fable', { model: 'claude-fable-5-2', variables: ['ANTHROPIC_DEFAULT_FABLE_MODEL'] }],
])
