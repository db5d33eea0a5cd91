/** Takes secrets out of a text. */
export type HideSecrets = (text: string) => string

/** What stands in the place of a secret. */
const mask = '[hidden]'

/** Shorter values are words as well. */
const minLength = 8

/** Names of variables that hold credentials, by their parts. */
const secretName =
  /(?:^|_)(?:[A-Z]*KEY|KEY_?ID|[A-Z]*TOKEN|[A-Z]*SECRET|PASS|PASSWORD|PASSWD|PWD|PASSPHRASE|CREDENTIALS?|AUTH|COOKIE|HEADERS)(?:_|$)/i

/** Credentials by their looks, wherever they come from. */
const secretShapes = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[pousr]_|github_pat_|glpat-|npm_|xox[a-z]-)[A-Za-z0-9_-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\beyJ[\w-]{6,}\.[\w-]{6,}\.[\w-]*/g,
  /\bBearer\s+[\w.~+/=-]{8,}/gi,
  /(?<=:\/\/[^\s:/@]{0,100}:)[^\s@/]+(?=@)/g,
  /(?:password|passwd|passphrase|secret|token|api[_-]?key)["']?\s*[:=]\s*["']?[^\s"',;]{4,}/gi,
]

/**
 * Makes what takes secrets out of texts: the values of credentials in this environment, and what looks like a credential. More may go than
 * is secret.
 */
export function createHideSecrets(env: Readonly<Record<string, string | undefined>>): HideSecrets {
  const values = secretValues(env)
  return (text) => {
    const withoutValues = values.reduce((rest, value) => rest.replaceAll(value, mask), text)
    return secretShapes.reduce((rest, shape) => rest.replaceAll(shape, mask), withoutValues)
  }
}

/** The longest first: one may be the beginning of another. */
function secretValues(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const values = Object.entries(env)
    .filter(([name]) => secretName.test(name))
    .flatMap(([, value = '']) => value.split(/[\r\n]+/).flatMap(partsOf))
    .map((value) => value.trim())
    .filter((value) => value.length >= minLength)
  return [...new Set(values)].sort((one, other) => other.length - one.length)
}

/** A header is secret in its value. */
function partsOf(line: string): readonly string[] {
  const [, value] = /^[\w-]+:\s+(.*)$/.exec(line) ?? []
  return value === undefined ? [line] : [line, value]
}
