import type { SessionSetup } from '../session-setup.ts'

/** What settings say of worktrees. */
export interface WorktreeSettings {
  readonly baseRef?: 'fresh' | 'head'
  readonly symlinkDirectories?: readonly string[]
  readonly sparsePaths?: readonly string[]
}

/** The part of `createWorktree`'s options that settings give. */
export function worktreeSettings({ options }: Pick<SessionSetup, 'options'>): WorktreeSettings {
  return options.settings?.worktree ?? {}
}

/** Reads the block `worktree` of settings; what is of another shape is left out. */
export function readWorktreeSettings(value: unknown): WorktreeSettings {
  if (typeof value !== 'object' || value === null) return {}
  const { baseRef, symlinkDirectories, sparsePaths } = { ...value } as Record<string, unknown>
  return {
    ...((baseRef === 'fresh' || baseRef === 'head') && { baseRef }),
    ...(isTexts(symlinkDirectories) && { symlinkDirectories }),
    ...(isTexts(sparsePaths) && { sparsePaths }),
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string')
}
