import type { ToolUseContext } from '@x/contract'

/** Variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What belongs to the host and to nobody else. */
const SECRETS = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_CUSTOM_HEADERS',
  'CLAUDE_CODE_OAUTH_TOKEN',
]

/** Nobody will ever answer a prompt, close an editor or leave a pager; nor is there a terminal. */
const NOBODY_THERE: Environment = {
  CLAUDECODE: '1',
  TERM: 'dumb',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  // `cd -` must not lead to where the host once was.
  OLDPWD: undefined,
}

/** The environment of a command: the session's, or the host's without its secrets, and nothing that waits for a person. */
export function commandEnvironment(context: ToolUseContext): Environment {
  const base = context.options.env ?? withoutSecrets(process.env)
  return { ...base, ...NOBODY_THERE }
}

function withoutSecrets(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SECRETS.includes(name)))
}
