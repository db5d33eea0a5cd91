import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { checkpointFolder, stateFolder } from '@x/session'
import { createTrustStore } from '@x/settings'
import { createSessionStore } from '@x/transcript'
import { sweepWorktrees } from '@x/worktree'
import { claimDay } from './claim-day.ts'
import { readRetention } from './read-retention.ts'

/** What is tidied. */
export interface UpkeepOptions {
  /** A folder of the repository whose worktrees are swept. */
  readonly cwd: string
  /** The settings of the command line. */
  readonly flagSettings?: string | undefined
  readonly signal: AbortSignal
}

/** Removes sessions and worktrees that are older than the settings say, each at most once a day. Never rejects. */
export async function runUpkeep({ cwd, flagSettings, signal }: UpkeepOptions): Promise<void> {
  const state = stateFolder(process.env)
  const days = await readRetention(cwd, flagSettings).catch(() => undefined)
  if (days === undefined || signal.aborted) return
  await Promise.allSettled([cleanSessions(state, days), sweep(state, days, { cwd, signal })])
}

async function cleanSessions(state: string, days: number): Promise<void> {
  if ((await claimDay(join(state, 'upkeep'), 'sessions')) === undefined) return
  for (const id of await createSessionStore({ stateFolder: state }).cleanUp(days)) {
    await rm(checkpointFolder(state, id), { recursive: true, force: true })
  }
}

async function sweep(
  state: string,
  days: number,
  { cwd, signal }: Pick<UpkeepOptions, 'cwd' | 'signal'>,
): Promise<void> {
  const { root } = await createTrustStore({ stateFolder: state }).judge(cwd)
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const claim = await claimDay(join(state, 'upkeep'), `worktrees-${name}`)
  if (claim === undefined) return
  try {
    await sweepWorktrees({ cwd, maxAgeDays: days, signal })
  } catch (error) {
    await claim.undo()
    throw error
  }
}
