import type { Run } from '../run.ts'

/** A call whose input was replaced may have to wait until it runs alone. */
export function judgeAgain(run: Run): Promise<void> | undefined {
  return run.isReplaced ? run.kit.judge(run) : undefined
}
