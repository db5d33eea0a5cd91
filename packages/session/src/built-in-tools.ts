import { type TaskRegistry, type Tool, withoutUndefined } from '@x/contract'
import { createEditTool, createNotebookEditTool, createReadTool, createWriteTool } from '@x/tools-files'
import { createGlobTool, createGrepTool, readSearchEnvironment } from '@x/tools-search'
import { createBashTool, readBashEnvironment } from '@x/tools-shell'
import { createTaskOutputTool, createTaskStopTool } from '@x/tools-tasks'
import {
  createEnterWorktreeTool,
  createExitWorktreeTool,
  type EnterWorktreeToolOptions,
} from '@x/tools-worktree'
import { isOn, positiveInteger } from './session-environment.ts'
import { findShrinkImage } from './shrink-image.ts'

/** What the built-in tools are made of. */
export interface BuiltInToolsOptions {
  /** Where their settings are read from. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where background work is known. */
  readonly tasks: TaskRegistry
  /** Aborts when the session ends. */
  readonly signal: AbortSignal
  /** Files that no search shows. */
  readonly isHidden: (absolutePath: string) => boolean
  /** Where the output of commands goes. */
  readonly taskFolder: string
  /** How worktrees are made and removed. */
  readonly worktrees: EnterWorktreeToolOptions
  /** The `export` lines for commands. */
  readonly environmentFile: () => string | undefined
}

/** Makes the built-in tools, in the order in which the model is told of them. */
export function createBuiltInTools(options: BuiltInToolsOptions): readonly Tool[] {
  const { env, tasks, taskFolder, isHidden, signal, environmentFile } = options
  const maxTokens = positiveInteger(env, 'CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS')
  const change = { isPerforceMode: isOn(env, 'CLAUDE_CODE_PERFORCE_MODE') }
  const search = { ...readSearchEnvironment(env), isHidden }
  return [
    createReadTool(withoutUndefined({ maxTokens, shrinkImage: findShrinkImage() })),
    createWriteTool(change),
    createEditTool(change),
    createNotebookEditTool(change),
    createGlobTool(search),
    createGrepTool(search),
    createBashTool({
      ...readBashEnvironment(env),
      environmentFile,
      tasks,
      signal,
      outputFolder: taskFolder,
    }),
    createTaskOutputTool({ tasks }),
    createTaskStopTool({ tasks }),
    createEnterWorktreeTool(options.worktrees),
    createExitWorktreeTool(options.worktrees),
  ]
}
