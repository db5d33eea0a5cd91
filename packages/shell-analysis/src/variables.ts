/** Variables that change nothing but language, colour and width of the output. */
const harmless = new Set([
  'NODE_ENV',
  'LANG',
  'LANGUAGE',
  'TZ',
  'NO_COLOR',
  'LC_ALL',
  'LC_CTYPE',
  'LC_COLLATE',
  'LC_MESSAGES',
  'LC_NUMERIC',
  'LC_TIME',
  'FORCE_COLOR',
  'CI',
  'TERM',
  'COLUMNS',
])

/** Whether setting the variable is known to be harmless; every other may change which program runs. */
export function isHarmlessVariable(name: string): boolean {
  return harmless.has(name)
}

/** Whether a loop or `read` may set it: shells and programs give no meaning to short lower-case names. */
export function isLoopVariable(name: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(name) && !reserved.has(name)
}

// zsh ties `path` to PATH and the like; some programs read proxies in lower case.
const reserved = new Set(['path', 'fpath', 'cdpath', 'mailpath', 'manpath', 'module_path', 'prompt', 'psvar'])

/** Variables whose value is a command that some program will run. */
const commandVariables = new Set([
  'GIT_EDITOR',
  'GIT_SEQUENCE_EDITOR',
  'GIT_PAGER',
  'GIT_SSH_COMMAND',
  'GIT_EXTERNAL_DIFF',
  'GIT_ASKPASS',
  'SSH_ASKPASS',
  'PAGER',
  'MANPAGER',
  'EDITOR',
  'VISUAL',
  'BROWSER',
  'PROMPT_COMMAND',
  'LESSOPEN',
  'LESSCLOSE',
  'RSYNC_RSH',
  'RSYNC_CONNECT_PROG',
  'GIT_SSH',
  'GIT_PROXY_COMMAND',
  'FZF_DEFAULT_COMMAND',
])

/** Whether the value of the variable is run as a command. */
export function holdsCommand(name: string): boolean {
  // The value of a setting of git: which one it is says another variable.
  return commandVariables.has(name) || /^GIT_CONFIG_(VALUE_\d+|PARAMETERS)$/.test(name)
}
