import type { BackgroundTask, ContentBlock, Message, TaskRegistry, UserMessage } from '@x/contract'
import type { Sidechain } from './sidechains.ts'

/** Something that runs in the background, as far as its owner has to know it. */
export type RunningTask = Pick<BackgroundTask, 'id' | 'type' | 'description' | 'aliases'>

/** What one agent runs in the background. */
export interface OwnTasks {
  /** Hands out the news of what has ended. */
  takeNotices(): readonly UserMessage[]
  /** The transcript, which knows at any time what the agent would never hear of if the program ended now. */
  readonly sidechain: Sidechain
  /** Stops listening. */
  leave(): void
}

/**
 * Follows the tasks of an agent. What has begun stands in the transcript until the news of its end does: an agent that goes on after a
 * crash is told what it has lost.
 */
export function followOwnTasks(
  tasks: TaskRegistry | undefined,
  agentId: string,
  { sidechain, lost }: { readonly sidechain: Sidechain; readonly lost: readonly RunningTask[] },
): OwnTasks {
  if (tasks === undefined || sidechain.noteRunning === undefined)
    return { takeNotices: () => tasks?.takeNotices(agentId) ?? [], sidechain, leave() {} }
  // What an earlier process has lost is told with the first message.
  const running = new Map(lost.map((task) => [task.id, task]))
  const told = new Map(lost.map((task): [string, string] => [task.id, '']))
  const note = (): void => sidechain.noteRunning?.([...running.values()])
  const leave = tasks.subscribe(({ kind, view: { task } }) => {
    if (task.agentId !== agentId || kind !== 'start') return
    const { id, type, description, aliases } = task
    running.set(id, { id, type, description, ...(aliases && { aliases }) })
    told.delete(id)
    note()
  })
  return {
    takeNotices() {
      const ended = tasks.list().filter(({ task, end }) => end !== undefined && running.has(task.id))
      const news = tasks.takeNotices(agentId)
      const text = textOf(news)
      if (text !== '') for (const { task } of ended) told.set(task.id, text)
      return news
    },
    sidechain: withAppend(sidechain, (messages) => {
      const text = told.size === 0 ? '' : textOf(messages)
      const known = [...told].filter(([, news]) => text.includes(news))
      for (const [id] of known) {
        running.delete(id)
        told.delete(id)
      }
      if (known.length > 0) note()
    }),
    leave,
  }
}

function withAppend(sidechain: Sidechain, onAppended: (messages: readonly Message[]) => void): Sidechain {
  const { path } = sidechain
  return {
    ...(path !== undefined && { path }),
    async append(messages) {
      await sidechain.append(messages)
      onAppended(messages)
    },
    ...(sidechain.beforeCall && { beforeCall: async (id, message) => sidechain.beforeCall?.(id, message) }),
    ...(sidechain.record && { record: (record) => sidechain.record?.(record) }),
    close: (end) => sidechain.close(end),
  }
}

/** The words of messages, in whatever blocks a loop has put them. */
function textOf(messages: readonly Message[]): string {
  const blocks = messages.flatMap(({ content }): readonly Pick<ContentBlock, 'type'>[] =>
    typeof content === 'string' ? [{ type: 'text', text: content } as ContentBlock] : content,
  )
  return blocks.flatMap((block) => ('text' in block ? [String(block.text)] : [])).join('\n')
}
