/** A text with its variables filled in. */
export interface ExpandedText {
  /** The result; a variable without a value stays as it was written. */
  readonly text: string
  /** Names of variables that have no value and no default. */
  readonly missing: readonly string[]
  /** Parts that look like variables and are none of ours, such as `${input:token}`; they stay as they are. */
  readonly foreign: readonly string[]
}

/** Variables of an environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Fills in `${NAME}` and `${NAME:-default}`. The default counts when the variable is unset or empty, as in a shell. Everything else
 * (`$NAME`, `$5`, `$$`) stays as it is, and what was filled in is not looked at again.
 */
export function expandVariables(text: string, env: Environment): ExpandedText {
  const missing: string[] = []
  const foreign: string[] = []
  // Behind the last brace nothing ends: each `${` there would be searched to the end of the text.
  const end = text.lastIndexOf('}') + 1
  const expanded = text.slice(0, end).replace(/\$\{([^}]*)\}/g, (whole, inner: string) => {
    const variable = /^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inner)
    if (variable === null) {
      foreign.push(whole)
      return whole
    }
    const [, name = '', fallback] = variable
    const value = Object.hasOwn(env, name) ? env[name] : undefined
    if (value !== undefined && (value !== '' || fallback === undefined)) return value
    if (fallback !== undefined) return fallback
    missing.push(name)
    return whole
  })
  return { text: expanded + text.slice(end), missing, foreign }
}
