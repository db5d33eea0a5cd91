import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { defineTool, type Tool, type ToolUseContext, withoutUndefined } from '@x/contract'
import {
  type BaseRef,
  createWorktree,
  type Git,
  listWorktrees,
  lockWorktree,
  openWorktree,
  releaseWorktree,
  type Worktree,
  type WorktreeHooks,
} from '@x/worktree'
import { z } from 'zod'
import { currentWorktree, type EnteredWorktree, moveContext, worktreeState } from './worktree-state.ts'

/** Options of `createEnterWorktreeTool`: the `worktree` section of the settings, and the two hooks. */
export interface EnterWorktreeToolOptions {
  /** What a new worktree starts from. @default 'fresh' */
  readonly baseRef?: BaseRef
  /** Folders that it gets as links. @default none */
  readonly symlinkDirectories?: readonly string[]
  /** The only folders that are checked out. @default all */
  readonly sparsePaths?: readonly string[]
  /** Make worktrees in place of git. */
  readonly hooks?: WorktreeHooks
  /** Runs git. @default the git of the path */
  readonly git?: Git
}

/** What EnterWorktree did. */
export interface EnterWorktreeResult {
  /** Where the session is now. */
  readonly worktreePath: string
  /** Its branch. */
  readonly worktreeBranch?: string
  /** For the model. */
  readonly message: string
}

const inputSchema = z.strictObject({
  name: z.string().optional().describe('Name for a new worktree; made up when missing'),
  path: z.string().optional().describe('An existing worktree of this repository to enter instead'),
})

type Input = z.output<typeof inputSchema>

/** The tool that moves the session into a worktree. */
export type EnterWorktreeTool = Tool<typeof inputSchema, EnterWorktreeResult, never>

/**
 * Makes the EnterWorktree tool. `name` and `path` exclude each other; nothing is nested: inside of a worktree only the `path` of
 * another one below `.claude/worktrees` is taken. The permission check sees `path` absolute, and asks for one outside of that folder.
 */
export function createEnterWorktreeTool(options: EnterWorktreeToolOptions = {}): EnterWorktreeTool {
  return defineTool({
    name: 'EnterWorktree',
    description:
      'Moves the session into a git worktree: a folder and branch of its own, apart from the main checkout. ' +
      'Use it only when the user asks for a worktree; for work on an ordinary branch use git in Bash. ' +
      'ExitWorktree leads back.',
    inputSchema,
    shouldDefer: true,
    maxResultSizeChars: 100_000,
    async validateInput({ name, path }) {
      if (name !== undefined && path !== undefined) {
        return { ok: false, message: 'Give name (a new worktree) or path (an existing one), not both' }
      }
      return path?.includes('\0') === true
        ? { ok: false, message: 'path holds a null byte: remove it' }
        : { ok: true }
    },
    backfillInput: (input, context) =>
      input.path === undefined ? input : { ...input, path: absolute(input.path, context) },
    async call(input, context) {
      const entered = await enter(input, context, options)
      return {
        data: describe(entered),
        contextModifier: (old) => moveContext(old, { cwd: entered.worktree.path }),
      }
    },
    mapResult: ({ message }, toolUseId) => ({
      type: 'tool_result',
      tool_use_id: toolUseId,
      content: message,
    }),
  })
}

interface Entry extends EnteredWorktree {
  readonly notes: readonly string[]
}

async function enter(
  input: Input,
  context: ToolUseContext,
  options: EnterWorktreeToolOptions,
): Promise<Entry> {
  const calling = callingOf(context, options.git)
  const before = currentWorktree(context)
  const isInside = before !== undefined || (await isInWorktree(context, calling))
  const entry =
    input.path === undefined
      ? await make(input.name, { context, options, isInside })
      : await open(input.path, { context, options, isInside })
  if (before !== undefined && before.worktree.path !== entry.worktree.path) {
    await releaseWorktree(before.worktree, calling)
  }
  const { notes, ...found } = entry
  const entered = { ...found, ...(before === undefined ? {} : originOf(before)) }
  context.setState(worktreeState, () => entered)
  return { ...entered, notes }
}

/** What the functions of `@x/worktree` take from a call. */
export function callingOf(
  context: ToolUseContext,
  git: Git | undefined,
): { readonly signal: AbortSignal; readonly git?: Git } {
  return withoutUndefined({ signal: context.abortController.signal, git })
}

/** An agent that was started in a worktree has not entered it by this tool. */
async function isInWorktree(
  context: ToolUseContext,
  calling: ReturnType<typeof callingOf>,
): Promise<boolean> {
  const listed = await listWorktrees({ cwd: context.cwd, ...calling })
  const here = await realpath(context.cwd)
  return listed.some(({ worktree }) => `${here}/`.startsWith(`${worktree.path}/`))
}

interface EnterContext {
  readonly context: ToolUseContext
  readonly options: EnterWorktreeToolOptions
  readonly isInside: boolean
}

async function make(name: string | undefined, { context, options, isInside }: EnterContext): Promise<Entry> {
  if (isInside) {
    throw new Error(
      'The session is in a worktree already, and worktrees are not nested. Use ExitWorktree first, ' +
        'or give the path of another one below .claude/worktrees.',
    )
  }
  const { git, ...wanted } = options
  const calling = callingOf(context, git)
  const made = await createWorktree({
    cwd: context.cwd,
    isSweepable: name === undefined,
    ...wanted,
    ...calling,
    ...(name === undefined ? {} : { name }),
  })
  if (made.type === 'failed') throw new Error(made.message)
  return toEntry(made.worktree, { context, isNew: true, isNamed: name !== undefined, notes: made.notes })
}

async function open(path: string, { context, options, isInside }: EnterContext): Promise<Entry> {
  const calling = callingOf(context, options.git)
  const opening = await openWorktree(absolute(path, context), { cwd: context.cwd, ...calling })
  if (opening.type === 'refused') throw new Error(opening.why)
  const { worktree, isOurs } = opening
  if (isInside && !isOurs) {
    const folder = join(worktree.root, '.claude', 'worktrees')
    throw new Error(
      `From inside of a worktree only those below ${folder} can be entered. Use ExitWorktree first.`,
    )
  }
  // An agent of this process may work there.
  const isHere = currentWorktree(context)?.worktree.path === worktree.path
  const locked = await lockWorktree(worktree, { ...calling, isExclusive: !isHere })
  // One that git was never told the base of cannot be locked by us, and need not be: no sweep touches it.
  if (locked.type === 'refused' && worktree.base !== undefined) throw new Error(`${path}: ${locked.why}`)
  return toEntry(worktree, { context, isNew: false, isNamed: true, notes: [] })
}

function toEntry(
  worktree: Worktree,
  { context, ...facts }: Pick<Entry, 'isNew' | 'isNamed' | 'notes'> & { readonly context: ToolUseContext },
): Entry {
  const { agent, cwd, options } = context
  return {
    worktree,
    originalCwd: cwd,
    originalProjectDir: options.projectDir,
    ...facts,
    ...(agent === undefined ? {} : { agentId: agent.id }),
  }
}

/** Whoever goes from one worktree to another leads back to where it was before the first. */
function originOf({
  originalCwd,
  originalProjectDir,
}: EnteredWorktree): Pick<EnteredWorktree, 'originalCwd' | 'originalProjectDir'> {
  return { originalCwd, originalProjectDir: originalProjectDir ?? originalCwd }
}

function describe({ worktree, isNew, notes }: Entry): EnterWorktreeResult {
  const { path, branch } = worktree
  const where = branch === undefined ? path : `${path} on the branch ${branch}`
  const lines = [
    `${isNew ? 'Made the worktree' : 'Entered the worktree'} ${where}. The session works there now.`,
    ...notes,
  ]
  return withoutUndefined({ worktreePath: path, worktreeBranch: branch, message: lines.join('\n') })
}

function absolute(path: string, { cwd }: ToolUseContext): string {
  if (path === '~' || path.startsWith('~/')) return join(homedir(), path.slice(1))
  return isAbsolute(path) ? path : resolve(cwd, path)
}
