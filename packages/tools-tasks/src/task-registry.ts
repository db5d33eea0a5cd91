import type {
  BackgroundTask,
  TaskChange,
  TaskEnd,
  TaskProgress,
  TaskRegistry,
  TaskView,
  UserMessage,
} from '@x/contract'
import { createListenerSet } from './listener-set.ts'
import { toNotice } from './notice.ts'

/** Options of `createTaskRegistry`. */
export interface TaskRegistryOptions {
  /** How many ended tasks stay known; the oldest is forgotten first. @default 200 */
  readonly maxEnded?: number
}

interface Entry {
  readonly task: BackgroundTask
  progress?: TaskProgress
  end?: TaskEnd
  isNoticed: boolean
  readonly ended: Promise<TaskEnd>
}

/**
 * Makes the one place where a session knows its background work.
 *
 * A listener that throws is ignored: it must not keep a task from ending.
 *
 * @throws RangeError if `maxEnded` is no positive integer.
 */
export function createTaskRegistry(options: TaskRegistryOptions = {}): TaskRegistry {
  const { maxEnded = 200 } = options
  if (!Number.isInteger(maxEnded) || maxEnded < 1) {
    throw new RangeError(`maxEnded must be a positive integer, not ${String(maxEnded)}`)
  }
  const entries = new Map<string, Entry>()
  const listeners = createListenerSet<TaskChange>()
  let count = 0
  const find = (id: string): Entry | undefined => entries.get(id) ?? findByAlias(entries, id)

  return {
    nextId(prefix) {
      count += 1
      return `${prefix}_${count}`
    },
    add(task) {
      if (entries.has(task.id)) throw new TypeError(`There is a task ${task.id} already`)
      const entry: Entry = { task, isNoticed: false, ended: endOf(task) }
      entries.set(task.id, entry)
      listeners.tell({ kind: 'start', view: toView(entry) })
      void entry.ended.then((end) => {
        entry.end = end
        forgetOldest(entries, maxEnded)
        listeners.tell({ kind: 'end', view: toView(entry) })
      })
    },
    report(id, progress) {
      const entry = find(id)
      if (entry === undefined || entry.end !== undefined) return
      entry.progress = progress
      listeners.tell({ kind: 'progress', view: toView(entry) })
    },
    get(id) {
      const entry = find(id)
      return entry === undefined ? undefined : toView(entry)
    },
    list: () => [...entries.values()].map(toView),
    subscribe: (listener) => listeners.subscribe(listener),
    takeNotices(agentId) {
      const ready = [...entries.values()].filter(
        (entry) => entry.task.agentId === agentId && !entry.isNoticed,
      )
      return ready.flatMap(takeNotice)
    },
    async stopAll({ agentId } = {}) {
      const own = [...entries.values()].filter(({ task }) => isOf(task, agentId))
      await Promise.allSettled(own.filter(({ end }) => end === undefined).map(stop))
    },
  }
}

/** The task added last wins: an agent that was resumed has a task for each time. */
function findByAlias(entries: ReadonlyMap<string, Entry>, alias: string): Entry | undefined {
  return [...entries.values()].findLast(({ task }) => task.aliases?.includes(alias) === true)
}

/** Resolves when the end is known to the registry too. */
async function stop({ task, ended }: Entry): Promise<void> {
  await task.stop()
  await ended
}

function isOf(task: BackgroundTask, agentId: string | undefined): boolean {
  return agentId === undefined || task.agentId === agentId
}

function takeNotice(entry: Entry): readonly UserMessage[] {
  if (entry.end === undefined) return []
  entry.isNoticed = true
  return [toNotice(entry.task, entry.end)]
}

function toView({ task, progress, end }: Entry): TaskView {
  return { task, ...(progress && { progress }), ...(end && { end }) }
}

/** `ended` promises not to reject; a task that breaks this ends as failed. */
async function endOf(task: BackgroundTask): Promise<TaskEnd> {
  try {
    return await task.ended
  } catch (error) {
    return { status: 'failed', summary: `Background task "${task.description}" failed: ${String(error)}` }
  }
}

/** Tasks whose end the model has not seen are never forgotten. */
function forgetOldest(entries: Map<string, Entry>, maxEnded: number): void {
  const ended = [...entries.values()].filter(({ end, isNoticed }) => end !== undefined && isNoticed)
  for (const { task } of ended.slice(0, Math.max(0, ended.length - maxEnded))) entries.delete(task.id)
}
