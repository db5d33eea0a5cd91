import process from 'node:process'
import { withoutUndefined } from '@x/contract'
import { loadSessionSettings, openSessionWorktrees, type SessionWorktrees } from '@x/session'
import { parseSettingSources } from '@x/settings'
import { releaseWorktree, type Worktree } from '@x/worktree'
import type { CliArguments } from '../arguments.ts'
import type { StartPlace } from './start-place.ts'
import { whyKept } from './why-kept.ts'

/** What is known before there is a session. */
export interface EntryFacts {
  /** The folder the program was started in. */
  readonly cwd: string
  readonly isHeadless: boolean
  readonly signal: AbortSignal
}

/** Makes the worktree of `--worktree`, as the settings of the launch folder and their hooks say. @throws Error if that is impossible. */
export async function enterNewWorktree(args: CliArguments, facts: EntryFacts): Promise<StartPlace> {
  const { cwd, isHeadless, signal } = facts
  const name = typeof args.worktree === 'string' ? args.worktree : undefined
  const worktrees = await openWorktrees(args, { cwd, isHeadless })
  const made = await worktrees.create(withoutUndefined({ name, signal })).catch(async (error: unknown) => {
    await worktrees[Symbol.asyncDispose]()
    throw error
  })
  if (made.type === 'failed') {
    await worktrees[Symbol.asyncDispose]()
    throw new Error(made.message)
  }
  const { worktree, notes } = made
  return {
    cwd: worktree.path,
    worktree: { worktree, originalCwd: cwd, isNew: true, isNamed: name !== undefined },
    notices: [
      { level: 'notice', content: `Working in the worktree ${describe(worktree)}.` },
      ...notes.map((content) => ({ level: 'warning', content }) as const),
    ],
    async leave(how) {
      const mayRemove = how === 'undo' || (how === 'tidy' && name === undefined)
      try {
        if (how === 'left') return undefined
        return await (mayRemove ? remove(worktree, worktrees) : letGo(worktree))
      } catch (error) {
        return `The worktree ${describe(worktree)} is kept: ${error instanceof Error ? error.message : String(error)}`
      } finally {
        await worktrees[Symbol.asyncDispose]()
      }
    },
  }
}

async function openWorktrees(
  { settings: flagSettings, settingSources }: CliArguments,
  { cwd, isHeadless }: Pick<EntryFacts, 'cwd' | 'isHeadless'>,
): Promise<SessionWorktrees> {
  const sources = settingSources === undefined ? undefined : parseSettingSources(settingSources)
  const settings = await loadSessionSettings(withoutUndefined({ cwd, isHeadless, flagSettings, sources }))
  return openSessionWorktrees({ cwd, env: process.env, settings })
}

function describe({ path, branch }: Worktree): string {
  return branch === undefined ? path : `${path} on the branch ${branch}`
}

async function letGo(worktree: Worktree): Promise<string> {
  await releaseWorktree(worktree)
  return `The worktree ${describe(worktree)} is kept.`
}

async function remove(worktree: Worktree, worktrees: SessionWorktrees): Promise<string> {
  const removal = await worktrees.remove(worktree)
  if (removal.type === 'removed') return `The worktree ${worktree.path} held nothing new and is removed.`
  await releaseWorktree(worktree)
  return `The worktree ${describe(worktree)} is kept: ${whyKept(removal)}`
}
