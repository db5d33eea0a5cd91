import { stripVTControlCharacters } from 'node:util'
import type { WorktreeHooks } from '@x/worktree'
import type { SessionSetup } from './session-setup.ts'

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

/** The hooks that make and clean up worktrees in place of git, where there are any. */
export function createWorktreeHooks({ hooks }: Pick<SessionSetup, 'hooks'>): WorktreeHooks {
  return {
    ...(hooks.hooks.has('WorktreeCreate') && {
      async create(name: string) {
        const result = await hooks.run('WorktreeCreate', { name })
        const path = result?.fields.worktreePath
        if (result?.outcome === 'block' || path === undefined) {
          const message = result?.reason ?? 'a WorktreeCreate hook gave no path'
          return { type: 'failed' as const, message: stripVTControlCharacters(message) }
        }
        return { type: 'created' as const, path }
      },
    }),
    ...(hooks.hooks.has('WorktreeRemove') && {
      async remove(path: string) {
        const result = await hooks.run('WorktreeRemove', { worktree_path: path })
        if (result?.outcome === 'block') throw new Error(result.reason ?? 'a WorktreeRemove hook failed')
      },
    }),
  }
}
