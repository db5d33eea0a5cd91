import { createFence, type Fence } from './fence.ts'
import { checkShell } from './guard-shell.ts'
import type { Worktree } from './types.ts'

/** Keeps work that was to be isolated out of the main checkout. */
export interface WorktreeGuard {
  /**
   * Judges one tool call by its parsed input and the folder it would run in. Undefined: nothing against it; otherwise the text of
   * the error for the model, which names the worktree and how to go on. Looks at the disk, changes nothing, never rejects.
   */
  check(toolName: string, input: unknown, cwd: string): Promise<string | undefined>
}

/** What is closed beside the main checkout. */
export interface WorktreeGuardOptions {
  /** Absolute path of a folder that the work comes from, where that is another checkout than the main one. @default none */
  readonly from?: string
}

/**
 * Makes the guard of one worktree. It forbids what lies in the main checkout and not in the worktree, other worktrees there too, and the
 * checkout that the work comes from.
 *
 * It judges Edit, Write, MultiEdit and NotebookEdit by their path, Bash and Monitor by folder and script, PowerShell by folder.
 * It is a guard against mistakes, independent of permission rules: a program that is started may still do what it likes.
 */
export function createWorktreeGuard(worktree: Worktree, { from }: WorktreeGuardOptions = {}): WorktreeGuard {
  const fence = createFence(worktree, from)
  return {
    async check(toolName, input, cwd) {
      const problem = await findProblem(toolName, input, { cwd, fence })
      return problem === undefined ? undefined : describe(problem, worktree)
    },
  }
}

/** One call as the guard sees it. */
interface GuardedCall {
  readonly cwd: string
  readonly fence: Fence
}

const pathFields = new Map([
  ['Edit', 'file_path'],
  ['MultiEdit', 'file_path'],
  ['Write', 'file_path'],
  ['NotebookEdit', 'notebook_path'],
])
const shells = new Set(['Bash', 'Monitor', 'PowerShell'])

async function findProblem(
  toolName: string,
  input: unknown,
  { cwd, fence }: GuardedCall,
): Promise<string | undefined> {
  const field = pathFields.get(toolName)
  if (field !== undefined) {
    const path = textOf(input, field)
    const reached = path === undefined ? undefined : await fence.reaches(path, cwd)
    return reached === undefined ? undefined : `${toolName} would write ${reached}`
  }
  if (!shells.has(toolName)) return undefined
  const reached = await fence.reaches('.', cwd)
  if (reached !== undefined) return `the shell would run in ${reached}`
  const command = textOf(input, 'command')
  return toolName === 'PowerShell' || command === undefined ? undefined : checkShell(command, cwd, fence)
}

function describe(problem: string, { path, root }: Worktree): string {
  return (
    `This work is isolated in the worktree ${path} and must not touch the main checkout ${root}: ${problem}. ` +
    `Use paths below ${path}; to run a command, run it there, plainly and by itself.`
  )
}

function textOf(input: unknown, field: string): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const value: unknown = Object.entries(input).find(([key]) => key === field)?.[1]
  return typeof value === 'string' ? value : undefined
}
