/** Credentials of this program; a command it runs has no business with them. */
const secrets = new Set([
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_CUSTOM_HEADERS',
  'CLAUDE_CODE_OAUTH_TOKEN',
])

/** The environment for commands: everything but this program's own credentials, and a mark that says who runs them. */
export function childEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !secrets.has(entry[0]),
  )
  return { ...Object.fromEntries(kept), CLAUDECODE: '1' }
}
