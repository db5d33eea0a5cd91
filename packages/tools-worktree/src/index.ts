export {
  createEnterWorktreeTool,
  type EnterWorktreeResult,
  type EnterWorktreeTool,
  type EnterWorktreeToolOptions,
} from './enter-worktree-tool.ts'
export {
  createExitWorktreeTool,
  type ExitWorktreeResult,
  type ExitWorktreeTool,
  type ExitWorktreeToolOptions,
} from './exit-worktree-tool.ts'
export { type Resumption, resumeWorktree } from './resume-worktree.ts'
export { currentWorktree, type EnteredWorktree, moveContext, worktreeState } from './worktree-state.ts'
