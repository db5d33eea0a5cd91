import process from 'node:process'
import { runSetupHooks } from '@x/session'
import type { CliArguments } from '../arguments.ts'
import { toQueryOptions } from '../query-options.ts'
import { findResumed } from '../sessions/find-resumed.ts'
import { stopOnSignals } from './stop-on-signals.ts'

/** Runs the hooks of Setup and SessionStart, silently; resolves with the exit code. */
export async function runInitOnly(args: CliArguments): Promise<number> {
  using stopping = stopOnSignals()
  try {
    const resumed = await findResumed(args, process.cwd())
    const options = await toQueryOptions(args, { isHeadless: true, resume: resumed?.id })
    await runSetupHooks({ ...options, setup: 'init' }, stopping.signal)
    return stopping.exitCode ?? 0
  } catch (error) {
    process.stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}
