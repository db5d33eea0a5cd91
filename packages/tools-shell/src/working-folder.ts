import { homedir } from 'node:os'
import { relative, sep } from 'node:path'
import type { ToolUseContext } from '@x/contract'
import type { BashOperations } from './operations.ts'

/** Where the next command begins, and what to say about it. */
export interface FolderMove {
  /** The folder; `undefined`: where it was. */
  readonly cwd?: string
  /** For the model. */
  readonly notice?: string
}

/** What decides about the folder of the next command. */
export interface FolderQuestion {
  /** The context of the call. */
  readonly context: ToolUseContext
  /** Where the command was started. */
  readonly startedIn: string
  /** Where the shell ended; `undefined` when it did not tell (`exec`, a signal). */
  readonly endedIn: string | undefined
  /** Every command begins in the project folder. */
  readonly maintainsProjectDirectory: boolean
  /** The outside. */
  readonly operations: BashOperations
}

/** The folder to start in: the context's, or the next best one where that has vanished. */
export async function findStart(
  context: ToolUseContext,
  operations: BashOperations,
): Promise<{ readonly cwd: string; readonly notice?: string }> {
  if (await isFolder(context.cwd, operations)) return { cwd: context.cwd }
  const cwd = await findSafeFolder(context, operations)
  return { cwd, notice: vanished(context.cwd, cwd) }
}

/** Decides where the next command begins. A subagent's shell always begins where the agent does. */
export async function findMove(question: FolderQuestion): Promise<FolderMove> {
  const { context, startedIn, operations } = question
  const endedIn = question.endedIn ?? startedIn
  if (!(await isFolder(endedIn, operations))) {
    const cwd = await findSafeFolder(context, operations)
    return { cwd, notice: vanished(endedIn === '' ? startedIn : endedIn, cwd) }
  }
  if (context.agent !== undefined) return {}
  return (await mayStay(question, endedIn)) ? stay(question, endedIn) : toProject(context)
}

async function mayStay(question: FolderQuestion, endedIn: string): Promise<boolean> {
  const { context, startedIn, operations, maintainsProjectDirectory } = question
  if (maintainsProjectDirectory) return isSame(endedIn, context.options.projectDir, operations)
  // A host may have put the session somewhere else, into a worktree: that is not for the shell to undo.
  return (await isSame(startedIn, endedIn, operations)) || isInside(endedIn, context, operations)
}

/** Keeps the spelling of the folder where nothing moved. */
async function stay({ context, operations }: FolderQuestion, endedIn: string): Promise<FolderMove> {
  return { cwd: (await isSame(endedIn, context.cwd, operations)) ? context.cwd : endedIn }
}

function toProject({ options: { projectDir } }: ToolUseContext): FolderMove {
  return { cwd: projectDir, notice: `Shell cwd was reset to ${projectDir}` }
}

async function isSame(one: string, other: string, operations: BashOperations): Promise<boolean> {
  return one === other || (await operations.realPath(one)) === (await operations.realPath(other))
}

async function isInside(path: string, context: ToolUseContext, operations: BashOperations): Promise<boolean> {
  const { projectDir, additionalDirectories = [] } = context.options
  const real = await operations.realPath(path)
  if (real === undefined) return false
  for (const folder of [projectDir, ...additionalDirectories]) {
    const realFolder = await operations.realPath(folder)
    if (realFolder !== undefined && isBelow(real, realFolder)) return true
  }
  return false
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !/^[A-Za-z]:/.test(way))
}

async function findSafeFolder(context: ToolUseContext, operations: BashOperations): Promise<string> {
  for (const folder of [context.options.projectDir, homedir()]) {
    if (await isFolder(folder, operations)) return folder
  }
  return '/'
}

async function isFolder(path: string, operations: BashOperations): Promise<boolean> {
  return path !== '' && (await operations.look(path))?.isFolder === true
}

function vanished(folder: string, cwd: string): string {
  return `The working directory ${folder} no longer exists. Shell cwd was reset to ${cwd}`
}
