import type { Environment } from './expand-variables.ts'

/** What belongs to the host and to no server, unless its configuration names it. */
const SECRETS = new Set([
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_CUSTOM_HEADERS',
  'CLAUDE_CODE_OAUTH_TOKEN',
])

/** The environment without the host's credentials. */
export function serverEnvironment(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SECRETS.has(name)))
}
