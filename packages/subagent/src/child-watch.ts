import type { TaskRegistry, UserMessage } from '@x/contract'
import type { PreparedAgent } from './prepare-agent.ts'

/** An agent's own agents in the background: it does not end before it knows what came of them. */
export interface ChildWatch {
  /** News of anything that it started in the background. */
  takeNotices(): readonly UserMessage[]
  /** While an agent of its own is at work: waits until one has ended or a message came. Ends early with the signal. */
  untilNews(signal: AbortSignal): Promise<void>
}

/** Watches the background work of one agent until its scope closes. */
export function createChildWatch(
  tasks: TaskRegistry | undefined,
  { plan, live, scope, ownTasks }: Pick<PreparedAgent, 'plan' | 'live' | 'scope' | 'ownTasks'>,
): ChildWatch {
  if (tasks === undefined) return { takeNotices: () => [], untilNews: async () => {} }
  const running = new Set<string>()
  let unheard = 0
  const leave = tasks.subscribe(({ kind, view: { task } }) => {
    if (task.agentId !== plan.agentId || task.type !== 'local_agent') return
    if (kind === 'start') running.add(task.id)
    if (kind !== 'end' || !running.delete(task.id)) return
    unheard += 1
    live.wake?.()
  })
  scope.add(leave)

  return {
    takeNotices() {
      unheard = 0
      return ownTasks.takeNotices()
    },
    async untilNews(signal) {
      if (unheard > 0 || live.inbox.length > 0 || running.size === 0 || signal.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const stop = (): void => resolve()
      live.wake = stop
      signal.addEventListener('abort', stop)
      try {
        await promise
      } finally {
        live.wake = undefined
        signal.removeEventListener('abort', stop)
      }
    },
  }
}
