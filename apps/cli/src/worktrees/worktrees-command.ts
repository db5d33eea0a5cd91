import { stopOnSignals } from '../hooks/stop-on-signals.ts'
import { runGroup } from '../run-group.ts'
import { cleanWorktrees } from './clean-worktrees.ts'
import { listOwnWorktrees } from './list-own-worktrees.ts'
import { usage } from './usage.ts'

/** Shows and tidies the worktrees of the repository; resolves with the exit code. */
export function runWorktreesCommand(argv: readonly string[]): Promise<number> {
  const commands = { list: untilSignal(listOwnWorktrees), clean: untilSignal(cleanWorktrees) }
  return runGroup({ name: 'worktrees', usage, commands }, argv)
}

type Command = (argv: readonly string[], signal: AbortSignal) => Promise<void>

/** A signal ends the command with an exit code of its own. */
function untilSignal(command: Command): (argv: readonly string[]) => Promise<number> {
  return async (argv) => {
    using stopping = stopOnSignals()
    try {
      await command(argv, stopping.signal)
    } catch (error) {
      if (stopping.exitCode === undefined) throw error
    }
    return stopping.exitCode ?? 0
  }
}
