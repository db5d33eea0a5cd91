import { isAbsolute, resolve } from 'node:path'
import type { HookPlugin } from './hooks-config.ts'

/** What the environment of a hook is made from. */
export interface EnvironmentFacts {
  /** The host's environment. */
  readonly base: Readonly<Record<string, string | undefined>>
  /** The folder the session began in. */
  readonly projectDir: string
  /** What the hook is told. */
  readonly input: Readonly<Record<string, unknown>>
  /** The file for `export` lines. */
  readonly envFile: string | undefined
}

const credentials =
  /^(ANTHROPIC_(API_KEY|AUTH_TOKEN|CUSTOM_HEADERS)|CLAUDE_CODE_OAUTH_TOKEN|AWS_(SECRET_ACCESS_KEY|SESSION_TOKEN|BEARER_TOKEN_BEDROCK)|GOOGLE_APPLICATION_CREDENTIALS|AZURE_CLIENT_SECRET|ANTHROPIC_FOUNDRY_API_KEY)$/

/** Variables of an outer host; they would lie to the hook. */
const foreign = new Set(['CLAUDE_ENV_FILE', 'CLAUDE_FILE_PATHS', 'CLAUDE_EFFORT'])

/** The environment of a command. */
export type HookEnvironment = Readonly<Record<string, string | undefined>>

/** Makes the environment of the commands of one event: the host's, without what is not their business, and what hooks are promised. */
export function hookEnvironment(facts: EnvironmentFacts): HookEnvironment {
  const { base, projectDir, input, envFile } = facts
  const scrub = base['CLAUDE_CODE_SUBPROCESS_ENV_SCRUB'] === '1'
  const env: Record<string, string | undefined> = { ...base }
  for (const name of Object.keys(env)) {
    if (name.startsWith('OTEL_') || foreign.has(name) || (scrub && credentials.test(name))) delete env[name]
  }
  return Object.assign(env, {
    CLAUDE_PROJECT_DIR: projectDir,
    CLAUDE_CODE_SESSION_ID: String(input['session_id']),
    CLAUDECODE: '1',
    CLAUDE_CODE_CHILD_SESSION: '1',
    CLAUDE_PID: String(process.pid),
    ...effortOf(input),
    ...filePathsOf(input),
    ...(envFile !== undefined && { CLAUDE_ENV_FILE: envFile }),
  })
}

function effortOf(input: Readonly<Record<string, unknown>>): Record<string, string> {
  const { effort } = input
  const isObject = typeof effort === 'object' && effort !== null && 'level' in effort
  return isObject && typeof effort.level === 'string' ? { CLAUDE_EFFORT: effort.level } : {}
}

/** Characters of the longest path that is told in a variable. */
const MAX_PATH = 32_768

const fileFields = ['file_path', 'notebook_path']

function filePathsOf({
  tool_input: toolInput,
  cwd,
}: Readonly<Record<string, unknown>>): Record<string, string> {
  if (typeof toolInput !== 'object' || toolInput === null) return {}
  const fields = new Map(Object.entries(toolInput))
  const path = fileFields.map((field) => fields.get(field)).find((value) => typeof value === 'string')
  // A path that no system takes must not keep the hook from starting.
  if (path === undefined || path.includes('\0') || path.length > MAX_PATH) return {}
  return { CLAUDE_FILE_PATHS: isAbsolute(path) ? path : resolve(String(cwd), path) }
}

/** Adds what the hooks of a plugin are told about it. */
export function withPlugin(env: HookEnvironment, plugin: HookPlugin | undefined): HookEnvironment {
  if (plugin === undefined) return env
  const options = Object.entries(plugin.options ?? {})
  return {
    ...env,
    CLAUDE_PLUGIN_ROOT: plugin.root,
    ...(plugin.data !== undefined && { CLAUDE_PLUGIN_DATA: plugin.data }),
    ...Object.fromEntries(
      options.map(([key, value]) => [`CLAUDE_PLUGIN_OPTION_${key.toUpperCase()}`, value]),
    ),
  }
}
