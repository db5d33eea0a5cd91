export type { BaseRef } from './base.ts'
export { type CreateWorktreeOptions, createWorktree } from './create-worktree.ts'
export { discardWorktree } from './discard-worktree.ts'
export type { Finding, FindingCode } from './finding.ts'
export { createGit, type Git, type GitCall, type GitOptions, type GitOutcome } from './git.ts'
export { withoutRepository } from './git-environment.ts'
export { type Inspection, inspectWorktree } from './inspect-worktree.ts'
export { keepOutOfStatus } from './keep-out-of-status.ts'
export {
  type ListedWorktree,
  type ListWorktreesOptions,
  listWorktrees,
  type WorktreeState,
} from './list-worktrees.ts'
export { type Opening, type OpenWorktreeOptions, openWorktree } from './open-worktree.ts'
export type { Removal } from './removal.ts'
export { type RemoveWorktreeOptions, removeWorktree } from './remove-worktree.ts'
export {
  type KeptWorktree,
  type Sweep,
  type SweepWorktreesOptions,
  sweepWorktrees,
} from './sweep-worktrees.ts'
export type {
  Creation,
  CreationFailure,
  CreationProblem,
  HookCreation,
  Worktree,
  WorktreeHooks,
  WorktreeOptions,
} from './types.ts'
export { type LockResult, type LockWorktreeOptions, lockWorktree, releaseWorktree } from './use-worktree.ts'
export { createWorktreeGuard, type WorktreeGuard, type WorktreeGuardOptions } from './worktree-guard.ts'
