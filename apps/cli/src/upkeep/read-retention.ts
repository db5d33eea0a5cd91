import process from 'node:process'
import { withoutUndefined } from '@x/contract'
import { loadSettings } from '@x/settings'

/** What is kept so long where nothing else is said. */
const defaultDays = 30

/**
 * How many days sessions and worktrees are kept: `cleanupPeriodDays` of managed settings, the command line and the user. A project has
 * no say about the sessions of others. Undefined where it cannot be read or is below 1: then nothing is removed.
 */
export async function readRetention(
  cwd: string,
  flagSettings: string | undefined,
): Promise<number | undefined> {
  const { value, problems } = await loadSettings(
    withoutUndefined({ cwd, env: process.env, sources: ['user'] as const, flagSettings }),
  )
  if (problems.length > 0) return undefined
  const { cleanupPeriodDays: days = defaultDays } = value
  return typeof days === 'number' && days >= 1 ? days : undefined
}
