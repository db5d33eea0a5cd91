import { defineTool, type TaskRegistry, type Tool, type ToolResult } from '@x/contract'
import { moveToBackground } from './background.ts'
import type { BashCall } from './bash-call.ts'
import { type BashInput, bashInputSchema } from './bash-input.ts'
import { type BashKit, createBashKit } from './bash-kit.ts'
import { type BashResult, toResultBlock } from './bash-result.ts'
import { describeBash } from './description.ts'
import { toLines } from './notices.ts'
import { type BashToolOptions, INLINE_CHARS, resolveBashOptions } from './options.ts'
import type { BashProgress } from './progress.ts'
import { findSelfKill } from './refuse-pkill.ts'
import { runForeground } from './run-foreground.ts'
import { startCommand } from './start-command.ts'

/** The Bash tool, ready for a tool list. */
export type BashTool = Tool<typeof bashInputSchema, BashResult, BashProgress>

/**
 * Makes the Bash tool. One tool serves one session: it reads the user's start-up file once.
 *
 * Making it does nothing; folders, files and processes come with the first command.
 *
 * @throws RangeError if a number in the options is out of range.
 *
 * @example
 * const bash = createBashTool({ tasks, outputFolder, ...readBashEnvironment(process.env) })
 */
export function createBashTool(options: BashToolOptions = {}): BashTool {
  const kit = createBashKit(resolveBashOptions(options))
  const isReadOnly = ({ command }: BashInput): boolean => kit.analyze(command).isReadOnly
  return defineTool<typeof bashInputSchema, BashResult, BashProgress>({
    name: 'Bash',
    description: describeBash(kit.settings),
    inputSchema: bashInputSchema,
    isConcurrencySafe: (input) => isReadOnly(input) && !kit.analyze(input.command).changesDirectory,
    isReadOnly,
    failureCancelsSiblings: (input) => !isReadOnly(input),
    maxResultSizeChars: INLINE_CHARS,
    async validateInput(input) {
      const message = findFault(kit, input)
      return message === undefined ? { ok: true } : { ok: false, message }
    },
    // oxlint-disable-next-line max-params -- the shape of every tool's call
    call: (input, context, _canUseTool, _parentMessage, onProgress) =>
      run(kit, { input, context, onProgress }),
    mapResult: toResultBlock,
  })
}

function findFault(kit: BashKit, { command }: BashInput): string | undefined {
  if (command.trim() === '') return 'command is empty. Say what to run.'
  if (command.includes('\0')) return 'command contains a null byte (\\0). Remove it and try again.'
  return findSelfKill(kit.analyze(command))
}

async function run(kit: BashKit, call: BashCall): Promise<ToolResult<BashResult>> {
  if (call.input.run_in_background !== true) return runForeground(kit, call)
  const { tasks, allowsBackground } = kit.settings
  if (tasks !== undefined && allowsBackground) return runInBackground(kit, call, tasks)
  const result = await runForeground(kit, call)
  const stderr = toLines([result.data.stderr, 'Background tasks are off: the command ran to its end instead'])
  return { ...result, data: { ...result.data, stderr } }
}

async function runInBackground(
  kit: BashKit,
  { input, context }: BashCall,
  tasks: TaskRegistry,
): Promise<ToolResult<BashResult>> {
  const { command, description } = input
  const started = await startCommand(kit, command, context)
  const task = await moveToBackground(kit, started, { command, description, context, tasks })
  const text = `Command running in background with ID: ${task.id}. Its output is written to: ${task.outputFile}`
  return {
    data: {
      stdout: '',
      stderr: toLines([started.notice, text]),
      interrupted: false,
      backgroundTaskId: task.id,
      rawOutputPath: task.outputFile,
    },
  }
}
