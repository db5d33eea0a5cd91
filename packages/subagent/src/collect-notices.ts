import {
  type BackgroundTask,
  escapeMarkup,
  type HistoryLog,
  reminderText,
  type TaskRegistry,
  type UserMessage,
} from '@x/contract'
import type { NoticeBox } from './notice-box.ts'
import type { RunningTask } from './own-tasks.ts'

/**
 * A history that confirms the notices in it once they are safe. That something was started is written down only when its end cannot be
 * lost any more.
 */
export function confirmNotices(log: HistoryLog, box: Pick<NoticeBox, 'confirm' | 'flush'>): HistoryLog {
  return {
    async append(messages) {
      await box.flush()
      await log.append(messages)
      // A journal that fails has told its owner: the transcript holds the notice, and tells the next box so.
      await box.confirm(messages).catch(() => {})
    },
    ...(log.beforeCall && { beforeCall: async (id, message) => log.beforeCall?.(id, message) }),
  }
}

/**
 * Puts the end of every task of the main session into the box, so that nobody else needs to ask the registry for notices. A task that
 * runs when the program ends is told of by the next one. Returns the undo.
 */
export function collectNotices(tasks: TaskRegistry, box: Pick<NoticeBox, 'add' | 'expect'>): () => void {
  const ends = new Map<string, (end: UserMessage) => Promise<void>>()

  function collect(taskId?: string): void {
    const own = taskId === undefined ? undefined : ends.get(taskId)
    if (taskId !== undefined) ends.delete(taskId)
    for (const [index, message] of tasks.takeNotices().entries()) {
      const put = index === 0 && own !== undefined ? own : box.add
      // A journal that fails has told its owner; the notice still waits in memory.
      void put(message).catch(() => {})
    }
  }

  collect()
  return tasks.subscribe(({ kind, view: { task } }) => {
    if (task.agentId !== undefined) return
    if (kind === 'start') ends.set(task.id, box.expect(lostNotice(task)))
    if (kind === 'end') collect(task.id)
  })
}

function lostNotice(task: BackgroundTask): UserMessage {
  return { role: 'user', content: reminderText(escapeMarkup(lostTaskText(task))) }
}

/** What its owner is told of a task that was running when its program ended. */
export function lostTaskText({ id, type, description, aliases = [] }: RunningTask): string {
  const [agentId] = aliases
  const advice =
    type === 'local_agent' && agentId !== undefined
      ? `Its conversation is kept: SendMessage with to: ${agentId} lets it go on.`
      : 'Whether it did its work is unknown: look before you repeat it.'
  return `Background task ${id} ("${description}") ended with the program that ran it, before its own end. ${advice}`
}
