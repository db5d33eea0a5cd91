import type { TaskEnd, TaskRegistry, TaskView } from '@x/contract'

/** A registry of background work, as small as the port allows. */
export function fakeTasks(): TaskRegistry & { readonly endOf: (id: string) => Promise<TaskEnd> } {
  const entries = new Map<string, { view: TaskView; isNoticed: boolean }>()
  const listeners = new Set<Parameters<TaskRegistry['subscribe']>[0]>()
  let count = 0
  const find = (id: string) =>
    entries.get(id) ?? [...entries.values()].findLast(({ view }) => view.task.aliases?.includes(id))
  const tasks: TaskRegistry & { readonly endOf: (id: string) => Promise<TaskEnd> } = {
    nextId: (prefix) => `${prefix}_${(count += 1)}`,
    add(task) {
      const entry = { view: { task } as TaskView, isNoticed: false }
      entries.set(task.id, entry)
      for (const listener of listeners) listener({ kind: 'start', view: entry.view })
      void task.ended.then((end) => {
        entry.view = { ...entry.view, end }
        for (const listener of listeners) listener({ kind: 'end', view: entry.view })
      })
    },
    report(id, progress) {
      const entry = find(id)
      if (entry === undefined || entry.view.end !== undefined) return
      entry.view = { ...entry.view, progress }
      for (const listener of listeners) listener({ kind: 'progress', view: entry.view })
    },
    get: (id) => find(id)?.view,
    list: () => [...entries.values()].map(({ view }) => view),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    takeNotices(agentId) {
      const ready = [...entries.values()].filter(
        ({ view, isNoticed }) => view.end !== undefined && !isNoticed && view.task.agentId === agentId,
      )
      return ready.map((entry) => {
        entry.isNoticed = true
        const { task, end } = entry.view
        return {
          role: 'user' as const,
          content: `notice ${task.id}: ${end?.status} ${end?.summary} ${end?.result ?? ''}`,
        }
      })
    },
    async stopAll({ agentId } = {}) {
      const running = [...entries.values()].filter(
        ({ view }) => view.end === undefined && (agentId === undefined || view.task.agentId === agentId),
      )
      await Promise.all(running.map(({ view }) => view.task.stop()))
    },
    async endOf(id) {
      const found = find(id)
      if (found === undefined) throw new Error(`no task ${id}`)
      return found.view.task.ended
    },
  }
  return Object.assign(tasks, { listeners })
}
