import { runGroup } from '../run-group.ts'
import { listHooks } from './list-hooks.ts'
import { testHooks } from './test-hooks.ts'
import { usage } from './usage.ts'

/** Says which hooks are configured, or what they come to on an input; resolves with the exit code. */
export function runHooksCommand(argv: readonly string[]): Promise<number> {
  return runGroup({ name: 'hooks', usage, commands: { list: listHooks, test: testHooks } }, argv)
}
