import { type EffortLevel, effortLevels } from '@x/contract'
import { type PermissionMode, permissionModes, toPermissionMode } from '@x/permissions'
import { Command, CommanderError, Help, InvalidArgumentError, Option } from 'commander'
import { version } from './version.ts'

/** What the command line asks for. */
export interface CliArguments {
  /** The words that are no options, joined by blanks; undefined where there are none. */
  readonly prompt: string | undefined
  /** Print and exit instead of showing the work. */
  readonly print: boolean
  readonly outputFormat: 'text' | 'json' | 'stream-json'
  readonly inputFormat: 'text' | 'stream-json'
  readonly verbose: boolean
  readonly includePartialMessages: boolean
  readonly replayUserMessages: boolean
  readonly includeHookEvents: boolean
  /** Run the Setup hooks first. */
  readonly init: boolean
  /** Run the Setup hooks and those of the start, and nothing else. */
  readonly initOnly: boolean
  /** Run the Setup hooks for maintenance first. */
  readonly maintenance: boolean
  readonly debug: boolean
  readonly model?: string
  readonly fallbackModel?: string
  readonly effort?: EffortLevel
  readonly maxTurns?: number
  readonly maxBudgetUsd?: number
  readonly systemPrompt?: string
  readonly appendSystemPrompt?: string
  /** The agent that the session itself is. */
  readonly agent?: string
  /** Definitions of agents: a JSON object by name. */
  readonly agents?: string
  /** Texts and thoughts of agents too. */
  readonly forwardSubagentText: boolean
  readonly appendSubagentSystemPrompt?: string
  /** Start in a new worktree of this name; `true` where none is given. */
  readonly worktree?: string | true
  readonly allowedTools: readonly string[]
  readonly disallowedTools: readonly string[]
  /** Undefined: all. Empty: none. */
  readonly tools?: readonly string[]
  readonly addDir: readonly string[]
  /** Folders of plugins. */
  readonly pluginDir: readonly string[]
  readonly permissionMode?: PermissionMode
  readonly dangerouslySkipPermissions: boolean
  readonly allowDangerouslySkipPermissions: boolean
  readonly permissionPromptTool?: string
  /** Files, or JSON texts, with MCP servers. */
  readonly mcpConfig: readonly string[]
  /** Only the servers of `mcpConfig`. */
  readonly strictMcpConfig: boolean
  /** A file, or JSON text. */
  readonly settings?: string
  /** Undefined: all. */
  readonly settingSources?: string
  readonly sessionId?: string
  /** Go on with the last session of the folder. */
  readonly continue: boolean
  /** Go on with a session, by its id or name; `true` where none is named. */
  readonly resume?: string | true
  /** Go on in a copy. */
  readonly forkSession: boolean
  /** Go on behind this message. */
  readonly resumeSessionAt?: string
  /** False: nothing is kept. */
  readonly sessionPersistence: boolean
  /** A name to find the session by. */
  readonly name?: string
}

/** The arguments, or what to print instead and how to exit. */
export type ParsedArguments =
  | { readonly kind: 'run'; readonly args: CliArguments }
  | { readonly kind: 'exit'; readonly code: number; readonly stdout: string; readonly stderr: string }

/** Reads the command line. A wrong flag or value is an exit with a message, before anything runs. */
export function parseArguments(argv: readonly string[]): ParsedArguments {
  const printed = { stdout: '', stderr: '' }
  const command = createCommand().configureOutput({
    writeOut: (text) => void (printed.stdout += text),
    writeErr: (text) => void (printed.stderr += text),
  })
  try {
    command.parse(argv, { from: 'user' })
    return { kind: 'run', args: toArguments(command) }
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return { kind: 'exit', code: error.exitCode, ...printed }
  }
}

function createCommand(): Command {
  return addSessionOptions(addRunOptions(new Command('x')))
    .version(`${version} (x)`, '-v, --version', 'print the version')
    .configureHelp({ optionDescription: describeOption })
    .exitOverride()
    .allowExcessArguments()
    .addHelpText('after', help)
}

/** As commander says it, without the defaults that say nothing. */
function describeOption(option: Option): string {
  return new Help().optionDescription(option).replace(/ \(default: (?:false|none)\)$/, '')
}

/** What is done, and how it is told. */
function addRunOptions(command: Command): Command {
  return command
    .description('An agent that works on your project. Without -p it shows its work as it goes.')
    .argument('[prompt...]', 'what to do; standard input is added to it')
    .option('-p, --print', 'print the answer and exit', false)
    .addOption(choice('--output-format <format>', 'what is printed', ['text', 'json', 'stream-json']))
    .addOption(choice('--input-format <format>', 'what is read from standard input', ['text', 'stream-json']))
    .option('--verbose', 'print every record (json), needed by stream-json', false)
    .option('--include-partial-messages', 'stream_event records too (stream-json)', false)
    .option('--replay-user-messages', 'echo user messages from standard input (stream-json)', false)
    .option('--include-hook-events', 'records of every hook (stream-json)', false)
    .option('--init', 'run the Setup hooks first', false)
    .option('--init-only', 'run the hooks of Setup and SessionStart, and exit', false)
    .option('--maintenance', 'run the Setup hooks for maintenance first', false)
    .option('--debug', 'log each state of each call to standard error', false)
    .option('--model <name>', 'model name or alias: opus, sonnet, haiku', toName)
    .option('--fallback-model <names>', 'models to ask when the first is overloaded, comma-separated')
    .addOption(new Option('--effort <level>', 'how thorough answers are').choices(effortLevels))
    .option('--max-turns <n>', 'stop after this many turns with tools', toPositiveInteger)
    .option('--max-budget-usd <x>', 'stop when this much is spent', toPositiveNumber)
    .option('--system-prompt <text>', 'replace the system prompt')
    .option('--append-system-prompt <text>', 'add to the system prompt')
}

/** What the session is made of. */
function addSessionOptions(command: Command): Command {
  return command
    .option('--agent <name>', 'the agent that the session itself is', toName)
    .option('--agents <json>', 'more agents: {"name": {"description": ..., "prompt": ...}}')
    .option('--forward-subagent-text', 'texts and thoughts of agents too (stream-json)', false)
    .option('--append-subagent-system-prompt <text>', 'add to the system prompt of every agent')
    .option('-w, --worktree [name]', 'start in a new git worktree below .claude/worktrees')
    .addOption(
      list(
        '--allowedTools, --allowed-tools <rules...>',
        'calls that need no question: Read "Bash(npm test *)"',
      ),
    )
    .addOption(list('--disallowedTools, --disallowed-tools <rules...>', 'calls that never run'))
    .addOption(new Option('--tools <names...>', 'which built-in tools exist; "" for none, default for all'))
    .addOption(list('--add-dir <folders...>', 'further working folders'))
    .addOption(
      new Option('--plugin-dir <folder>', 'a plugin: agents, skills, hooks and MCP servers; may come again')
        .argParser((folder: string, before: readonly string[]) => [...before, folder])
        .default([], 'none'),
    )
    .option('--permission-mode <mode>', `what may run without asking: ${permissionModes.join(', ')}`, toMode)
    .option('--dangerously-skip-permissions', 'the same as --permission-mode bypassPermissions', false)
    .option('--allow-dangerously-skip-permissions', 'lets the session switch to that mode later', false)
    .option(
      '--permission-prompt-tool <name>',
      'whom to ask: stdio, over the control channel of stream-json, or mcp__server__tool',
    )
    .addOption(list('--mcp-config <files-or-json...>', 'more MCP servers'))
    .option('--strict-mcp-config', 'only the MCP servers of --mcp-config', false)
    .option('--settings <file-or-json>', 'settings above those of the project and the user')
    .option('--setting-sources <names>', 'which settings files are read: user,project,local; "" for none')
    .option('--session-id <uuid>', 'the id of this session')
    .option('-c, --continue', 'go on with the last session of this folder', false)
    .option('-r, --resume [id-or-name]', 'go on with this session')
    .option('--fork-session', 'go on in a copy, with an id of its own', false)
    .option('--resume-session-at <uuid>', 'go on behind this message')
    .option('--no-session-persistence', 'keep nothing of this session')
    .option('-n, --name <name>', 'a name to find this session by', toName)
}

const help = `
Exit codes: 0 done, 1 failed, 130 interrupted (INT), 143 ended (TERM), 129 hung up (HUP).
Endpoint: ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, and ANTHROPIC_BASE_URL for one of your own; ANTHROPIC_MODEL.
Options that take several words end at the next option: put the prompt in front of them.

x demo                            shows a small job on a temporary project, offline
x permissions explain TOOL INPUT  says what would be decided about a call, and why
x permissions test FILE           checks rules against the decisions that FILE expects
x sessions list                   shows the sessions that can be resumed; also show, prompts, rewind, rename, export, rm
x agents list                     says which agents there are, where from, and what is wrong with their files
x worktrees list                  shows the worktrees of this repository, and what is in them; also clean
x hooks list                      says which hooks are configured, where, and what is wrong with them
x hooks test --event EVENT        runs the hooks of an event on an input, and says what they come to
`

function choice(flags: string, description: string, choices: readonly [string, ...string[]]): Option {
  return new Option(flags, description).choices(choices).default(choices[0])
}

function list(flags: string, description: string): Option {
  return new Option(flags, description).default([], 'none')
}

function toMode(text: string): PermissionMode {
  const mode = toPermissionMode(text)
  if (mode !== undefined) return mode
  throw new InvalidArgumentError(`Allowed choices are ${permissionModes.join(', ')}.`)
}

function toName(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('It must not be empty.')
}

function toPositiveInteger(text: string): number {
  if (/^[0-9]+$/.test(text) && Number(text) > 0) return Number(text)
  throw new InvalidArgumentError('It must be a whole number above zero.')
}

function toPositiveNumber(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value
  throw new InvalidArgumentError('It must be a number above zero.')
}

function toArguments(command: Command): CliArguments {
  const words = command.args
  // The option list above and the fields of CliArguments say the same; commander cannot know.
  const options = command.opts<Omit<CliArguments, 'prompt'>>()
  return { ...options, prompt: words.length === 0 ? undefined : words.join(' ') }
}
