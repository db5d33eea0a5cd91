/** Options for both search tools, as the environment variables of the field set them. */
export interface SearchEnvironment {
  /** From `CLAUDE_CODE_GLOB_TIMEOUT_SECONDS`; 60 seconds under WSL, where file systems are slow. */
  readonly timeoutMs?: number
  /** From `CLAUDE_CODE_GLOB_NO_IGNORE`: false means that Glob leaves out what `.gitignore` names. */
  readonly respectsIgnoreFiles?: boolean
  /** From `CLAUDE_CODE_GLOB_HIDDEN`: false means that Glob leaves out files and folders whose names begin with a dot. */
  readonly includesDotfiles?: boolean
  /** From `USE_BUILTIN_RIPGREP`: when that is off, `rg` of the PATH. */
  readonly ripgrepPath?: string
}

/** Reads the options of the search tools from an environment. What cannot be read keeps its default. */
export function readSearchEnvironment(env: Readonly<Record<string, string | undefined>>): SearchEnvironment {
  const timeoutMs = readTimeout(env)
  const noIgnore = readSwitch(env['CLAUDE_CODE_GLOB_NO_IGNORE'])
  const hidden = readSwitch(env['CLAUDE_CODE_GLOB_HIDDEN'])
  const builtIn = readSwitch(env['USE_BUILTIN_RIPGREP'])
  return {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(noIgnore === undefined ? {} : { respectsIgnoreFiles: !noIgnore }),
    ...(hidden === undefined ? {} : { includesDotfiles: hidden }),
    ...(builtIn === false ? { ripgrepPath: 'rg' } : {}),
  }
}

const MAX_TIMEOUT_SECONDS = 24 * 60 * 60

function readTimeout(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const text = env['CLAUDE_CODE_GLOB_TIMEOUT_SECONDS']?.trim() ?? ''
  const seconds = /^\d+(\.\d+)?$/u.test(text) ? Number(text) : 0
  if (seconds >= 0.001 && seconds <= MAX_TIMEOUT_SECONDS) return Math.round(seconds * 1000)
  const isWsl = (env['WSL_DISTRO_NAME'] ?? '') !== ''
  return isWsl ? 60_000 : undefined
}

function readSwitch(text: string | undefined): boolean | undefined {
  const word = text?.trim().toLowerCase() ?? ''
  if (['1', 'true', 'yes', 'on'].includes(word)) return true
  return ['0', 'false', 'no', 'off'].includes(word) ? false : undefined
}
