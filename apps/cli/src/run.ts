import process from 'node:process'
import { type CliArguments, parseArguments } from './arguments.ts'
import { isHeadless } from './is-headless.ts'

/** Runs the command line to its end; resolves with the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  const [name = '', ...rest] = argv
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command !== undefined) return command(rest)
  const parsed = parseArguments(argv)
  if (parsed.kind === 'exit') {
    process.stdout.write(parsed.stdout)
    process.stderr.write(parsed.stderr)
    return parsed.code
  }
  const { args } = parsed
  const problem = findConflict(args)
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`)
    return 1
  }
  if (args.initOnly) {
    const { runInitOnly } = await import('./hooks/run-init-only.ts')
    return runInitOnly(args)
  }
  if (isHeadless(args)) {
    const { runHeadless } = await import('./run-headless.ts')
    return runHeadless(args)
  }
  const { runLive } = await import('./run-live.ts')
  return runLive(args)
}

type Command = (argv: readonly string[]) => Promise<number>

/** What the first word may name in place of a prompt; each is loaded when it is named. */
const commands: Readonly<Record<string, Command>> = {
  demo: async (argv) => (await import('./demo/run-demo.ts')).runDemo(argv),
  permissions: async (argv) => (await import('./permissions-command.ts')).runPermissionsCommand(argv),
  hooks: async (argv) => (await import('./hooks/hooks-command.ts')).runHooksCommand(argv),
  agents: async (argv) => (await import('./agents/agents-command.ts')).runAgentsCommand(argv),
  worktrees: async (argv) => (await import('./worktrees/worktrees-command.ts')).runWorktreesCommand(argv),
  sessions: async (argv) => (await import('./sessions/sessions-command.ts')).runSessionsCommand(argv),
}

/** Flags that contradict each other. */
function findConflict(args: CliArguments): string | undefined {
  return conflicts.find((conflict) => conflict.isMet(args))?.message
}

const conflicts: readonly { readonly message: string; isMet(args: CliArguments): boolean }[] = [
  {
    message: 'Error: When using --print, --output-format=stream-json requires --verbose',
    isMet: ({ print, outputFormat, verbose }) => print && outputFormat === 'stream-json' && !verbose,
  },
  {
    message: 'Error: --input-format=stream-json requires --output-format=stream-json',
    isMet: ({ inputFormat, outputFormat }) => inputFormat === 'stream-json' && outputFormat !== 'stream-json',
  },
  {
    message:
      'Error: with --input-format=stream-json the prompt comes from standard input, not from an argument',
    isMet: ({ prompt, inputFormat }) => prompt !== undefined && inputFormat === 'stream-json',
  },
  {
    message: 'Error: --include-partial-messages requires --output-format=stream-json',
    isMet: ({ includePartialMessages, outputFormat }) =>
      includePartialMessages && outputFormat !== 'stream-json',
  },
  {
    message: 'Error: --resume needs the id or the name of a session; x sessions list shows them',
    isMet: ({ resume }) => resume === true,
  },
  {
    message: 'Error: of --continue and --resume only one can be given',
    isMet: (args) => args.continue && args.resume !== undefined,
  },
  {
    message: 'Error: --fork-session and --resume-session-at need --continue or --resume',
    isMet: ({ forkSession, resumeSessionAt, resume, ...args }) =>
      (forkSession || resumeSessionAt !== undefined) && resume === undefined && !args.continue,
  },
  {
    message: 'Error: --session-id goes with --continue or --resume only where --fork-session does',
    isMet: ({ sessionId, forkSession, resume, ...args }) =>
      sessionId !== undefined && !forkSession && (resume !== undefined || args.continue),
  },
  {
    message: 'Error: --include-hook-events requires --output-format=stream-json',
    isMet: ({ includeHookEvents, outputFormat }) => includeHookEvents && outputFormat !== 'stream-json',
  },
  {
    message: 'Error: of --init, --init-only and --maintenance only one can be given',
    isMet: ({ init, initOnly, maintenance }) =>
      [init, initOnly, maintenance].filter((isGiven) => isGiven).length > 1,
  },
  {
    message: 'Error: --worktree and --init-only cannot be given together',
    isMet: ({ worktree, initOnly }) => worktree !== undefined && initOnly,
  },
  {
    message: 'Error: --permission-prompt-tool stdio needs --input-format=stream-json',
    isMet: ({ permissionPromptTool: tool, inputFormat }) => tool === 'stdio' && inputFormat !== 'stream-json',
  },
  {
    message: 'Error: --permission-prompt-tool must be stdio or the name of an MCP tool: mcp__server__tool',
    isMet: ({ permissionPromptTool: tool }) =>
      tool !== undefined && tool !== 'stdio' && !/^mcp__.+__.+$/.test(tool),
  },
]
