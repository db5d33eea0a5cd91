import { stripVTControlCharacters } from 'node:util'
import type { WorktreeHooks } from '@x/worktree'
import type { SessionSetup } from '../session-setup.ts'

/** The hooks that make and clean up worktrees in place of git, where there are any. */
export function createWorktreeHooks({
  hooks,
  controller,
}: Pick<SessionSetup, 'hooks' | 'controller'>): WorktreeHooks {
  return {
    ...(hooks.hooks.has('WorktreeCreate') && {
      async create(name: string, signal: AbortSignal | undefined) {
        const result = await hooks.run('WorktreeCreate', { name }, signal)
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
        const result = await awhileBeyond(controller.signal, (signal) =>
          hooks.run('WorktreeRemove', { worktree_path: path }, signal),
        )
        if (result?.outcome === 'block') throw new Error(result.reason ?? 'a WorktreeRemove hook failed')
      },
    }),
  }
}

/** How long a clean-up may go on when the session has ended. In milliseconds. */
const cleanUpMs = 3_000

/** Does something that an abort must not keep from being done, and that must not go on for long behind one. */
async function awhileBeyond<Value>(
  ended: AbortSignal,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const late = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const start = (): void => {
    timer ??= setTimeout(() => late.abort(ended.reason), cleanUpMs)
  }
  if (ended.aborted) start()
  ended.addEventListener('abort', start)
  try {
    return await run(late.signal)
  } finally {
    ended.removeEventListener('abort', start)
    clearTimeout(timer)
  }
}
