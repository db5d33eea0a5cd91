import { stat } from 'node:fs/promises'
import { defineTool, type Tool, type ToolUseContext, withoutUndefined } from '@x/contract'
import {
  discardWorktree,
  type Finding,
  type FindingCode,
  type Git,
  inspectWorktree,
  lockWorktree,
  type Removal,
  releaseWorktree,
  removeWorktree,
  type WorktreeHooks,
} from '@x/worktree'
import { z } from 'zod'
import { callingOf } from './enter-worktree-tool.ts'
import { currentWorktree, type EnteredWorktree, moveContextBack, worktreeState } from './worktree-state.ts'

/** Options of `createExitWorktreeTool`. */
export interface ExitWorktreeToolOptions {
  /** Remove what hooks made. */
  readonly hooks?: WorktreeHooks
  /** Runs git. @default the git of the path */
  readonly git?: Git
}

/** What ExitWorktree did. */
export interface ExitWorktreeResult {
  /** What became of the worktree. */
  readonly action: 'keep' | 'remove'
  /** Where the session is again. */
  readonly originalCwd: string
  /** Where the worktree is or was. */
  readonly worktreePath: string
  /** Its branch. */
  readonly worktreeBranch?: string
  /** How many changed, new and ignored files went with it. */
  readonly discardedFiles?: number
  /** How many commits went with it. */
  readonly discardedCommits?: number
  /** For the model. */
  readonly message: string
}

const inputSchema = z.strictObject({
  action: z
    .enum(['keep', 'remove'])
    .describe('keep leaves the worktree as it is; remove deletes it with its branch'),
  discard_changes: z
    .boolean()
    .optional()
    .describe(
      'Only with remove, and only if the user said so: deletes uncommitted files and unmerged commits too',
    ),
})

type Input = z.output<typeof inputSchema>

/** The tool that leads the session back. */
export type ExitWorktreeTool = Tool<typeof inputSchema, ExitWorktreeResult, never>

/**
 * Makes the ExitWorktree tool. `remove` fails, and the session stays, while anything is in the worktree that is nowhere else, or
 * git cannot tell; `discard_changes` removes it all the same, but only a worktree that this session made.
 */
export function createExitWorktreeTool(options: ExitWorktreeToolOptions = {}): ExitWorktreeTool {
  return defineTool({
    name: 'ExitWorktree',
    description:
      'Leaves the worktree that the session is in (EnterWorktree led there, or it was started there), and keeps or removes it. ' +
      'Without a worktree there is nothing to leave. ' +
      'To commit, merge or push before that, use git in Bash.',
    inputSchema,
    shouldDefer: true,
    maxResultSizeChars: 100_000,
    isDestructive: ({ action }) => action === 'remove',
    async validateInput({ action, discard_changes: discards }, context) {
      if (currentWorktree(context) === undefined) {
        return { ok: false, message: inNone }
      }
      return action === 'keep' && discards === true
        ? { ok: false, message: 'discard_changes goes with action "remove" only' }
        : { ok: true }
    },
    async call(input, context) {
      const entered = currentWorktree(context)
      if (entered === undefined) throw new Error(inNone)
      const data = await leave(input, entered, { context, options })
      context.setState(worktreeState, () => undefined)
      const { originalCwd: cwd } = data
      const projectDir = await projectAfter(entered, cwd)
      return { data, contextModifier: (old) => moveContextBack(old, { cwd, projectDir }) }
    },
    mapResult: ({ message }, toolUseId) => ({
      type: 'tool_result',
      tool_use_id: toolUseId,
      content: message,
    }),
  })
}

const inNone =
  'The session is in no worktree that EnterWorktree led into or that it was started in: there is nothing to leave'

interface LeaveContext {
  readonly context: ToolUseContext
  readonly options: ExitWorktreeToolOptions
}

async function leave(
  input: Input,
  entered: EnteredWorktree,
  given: LeaveContext,
): Promise<ExitWorktreeResult> {
  const { worktree } = entered
  const { path, branch, root } = worktree
  const originalCwd = (await isFolder(entered.originalCwd)) ? entered.originalCwd : root
  const facts = withoutUndefined({
    action: input.action,
    originalCwd,
    worktreePath: path,
    worktreeBranch: branch,
  })
  if (input.action === 'keep') {
    await releaseWorktree(worktree, callingOf(given.context, given.options.git))
    const where = branch === undefined ? path : `${path} (branch ${branch})`
    return { ...facts, message: `Left the worktree ${where}; it is kept. The session is in ${originalCwd}.` }
  }
  const lost = input.discard_changes === true ? await discard(entered, given) : await remove(entered, given)
  const discarded =
    lost === undefined
      ? ''
      : ` Discarded: ${lost.discardedFiles} file(s), ${lost.discardedCommits} commit(s).`
  return {
    ...facts,
    ...lost,
    message: `Removed the worktree ${path}.${discarded} The session is in ${originalCwd}.`,
  }
}

async function remove({ worktree }: EnteredWorktree, { context, options }: LeaveContext): Promise<undefined> {
  const calling = callingOf(context, options.git)
  const { hooks } = options
  const end = await removeWorktree(worktree, { ...calling, ...(hooks === undefined ? {} : { hooks }) })
  if (end.type === 'removed') return undefined
  // The session is still in it.
  await lockWorktree(worktree, calling)
  throw new Error(
    `${describeKept(end)}\nCommit, merge or move what is needed, use action "keep", or, if the user agrees, ` +
      'discard_changes: true.',
  )
}

interface Discarded {
  readonly discardedFiles: number
  readonly discardedCommits: number
}

async function discard(entered: EnteredWorktree, { context, options }: LeaveContext): Promise<Discarded> {
  const { worktree, isNew } = entered
  if (!isNew)
    throw new Error(
      `This session did not make ${worktree.path}, so it does not discard it. Use action "keep".`,
    )
  const calling = callingOf(context, options.git)
  const { hooks } = options
  const inspection = await inspectWorktree(worktree, calling)
  const reasons = inspection.type === 'changed' ? inspection.reasons : []
  const end = await discardWorktree(worktree, { ...calling, ...(hooks === undefined ? {} : { hooks }) })
  if (end.type !== 'removed') {
    await lockWorktree(worktree, calling)
    throw new Error(describeKept(end))
  }
  return { discardedFiles: count(reasons, fileCodes), discardedCommits: count(reasons, ['commits']) }
}

const fileCodes: readonly FindingCode[] = ['modified', 'staged', 'conflict', 'untracked', 'ignored', 'hidden']

function count(reasons: readonly Finding[], codes: readonly FindingCode[]): number {
  return reasons.filter(({ code }) => codes.includes(code)).reduce((sum, reason) => sum + reason.count, 0)
}

function describeKept(end: Exclude<Removal, { readonly type: 'removed' }>): string {
  const what =
    end.type === 'kept'
      ? end.reasons.map(({ message }) => `- ${message}`)
      : [`- nobody can tell what is in it: ${end.why}`]
  return [`The worktree ${end.path} is not removed:`, ...what].join('\n')
}

async function projectAfter({ originalProjectDir }: EnteredWorktree, cwd: string): Promise<string> {
  return originalProjectDir !== undefined && (await isFolder(originalProjectDir)) ? originalProjectDir : cwd
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}
