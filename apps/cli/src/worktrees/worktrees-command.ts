import process from 'node:process'
import { explainUsage } from '../explain-usage.ts'
import { stopOnSignals } from '../hooks/stop-on-signals.ts'
import { cleanWorktrees } from './clean-worktrees.ts'
import { listOwnWorktrees } from './list-own-worktrees.ts'
import { usage } from './usage.ts'

type Command = (argv: readonly string[], signal: AbortSignal) => Promise<void>

const commands: Readonly<Record<string, Command>> = { list: listOwnWorktrees, clean: cleanWorktrees }

/** Shows and tidies the worktrees of the repository; resolves with the exit code. */
export async function runWorktreesCommand(argv: readonly string[]): Promise<number> {
  const [name = '', ...rest] = argv
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) return explainUsage('worktrees', name, usage)
  using stopping = stopOnSignals()
  try {
    await command(rest, stopping.signal)
    return stopping.exitCode ?? 0
  } catch (error) {
    if (stopping.exitCode !== undefined) return stopping.exitCode
    process.stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}
