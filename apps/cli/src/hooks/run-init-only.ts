import process from 'node:process'
import { runSetupHooks } from '@x/session'
import type { CliArguments } from '../arguments.ts'
import { toQueryOptions } from '../query-options.ts'
import { stopOnSignals } from './stop-on-signals.ts'

/** Runs the hooks of Setup and SessionStart, silently; resolves with the exit code. */
export async function runInitOnly(args: CliArguments): Promise<number> {
  using stopping = stopOnSignals()
  try {
    const options = await toQueryOptions(args, { isHeadless: true })
    await runSetupHooks({ ...options, setup: 'init' }, stopping.signal)
    return stopping.exitCode ?? 0
  } catch (error) {
    process.stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}
