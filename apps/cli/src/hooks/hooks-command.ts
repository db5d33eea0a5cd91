import process from 'node:process'
import { explainUsage } from '../explain-usage.ts'
import { listHooks } from './list-hooks.ts'
import { testHooks } from './test-hooks.ts'
import { usage } from './usage.ts'

/** Says which hooks are configured, or what they come to on an input; resolves with the exit code. */
export async function runHooksCommand(argv: readonly string[]): Promise<number> {
  const [command, ...rest] = argv
  try {
    if (command === 'list') return await listHooks(rest)
    if (command === 'test') return await testHooks(rest)
    return explainUsage('hooks', command, usage)
  } catch (error) {
    process.stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}
