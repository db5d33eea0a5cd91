import type { TextBlock } from '@x/contract'
import { type Compact, createCompactor, type RetryOptions } from '@x/loop'
import type { SessionFileCache } from '@x/tools-files'
import { reminderText } from '../hooks/reminder.ts'
import { runStartHooks } from '../hooks/run-start-hooks.ts'
import type { SessionLog } from '../log/session-log.ts'
import type { Notes } from '../notes/open-notes.ts'
import type { SessionSetup } from '../session-setup.ts'
import { attachWork } from './attachments.ts'

/** What a session's compactor is made of. */
export interface SessionCompactorFacts {
  readonly setup: SessionSetup
  readonly files: SessionFileCache
  readonly notes: Pick<Notes, 'attachments'>
  readonly retry: RetryOptions
  /** What the session is written to now. */
  readonly log: () => SessionLog
  /** The model of the next request. */
  readonly model: () => string
}

/** Makes what shortens the session's conversation, with its hooks around it and its log behind it. */
export function createSessionCompactor(facts: SessionCompactorFacts): Compact {
  const { setup, files, notes, retry, log, model } = facts
  const { endpoint, environment, hooks, memory, tasks, access, environmentFile } = setup
  const isHidden = (path: string): boolean => access.permissions.isReadDenied(path)
  return createCompactor({
    model: endpoint,
    retry,
    isAutoDisabled: environment.isAutoCompactOff,
    isDisabled: environment.isCompactOff,
    async log({ kind, trigger, preTokens }, messages) {
      await log().compact({ trigger, preTokens, messages, hasSummary: kind === 'summary' })
      files.forgetContent()
    },
    attachments: async (signal) => [
      ...(await memory.afterCompaction(signal)).map(remind),
      ...(await notes.attachments()).map(remind),
      ...(await attachWork(files, tasks, isHidden)).map(remind),
      ...(await startAgain(signal)),
    ],
    async onPreCompact({ trigger, instructions, signal }) {
      const result = await hooks.run('PreCompact', { trigger, custom_instructions: instructions }, signal)
      return result?.outcome === 'block' ? { blockingError: result.reason ?? '' } : undefined
    },
    async onPostCompact({ trigger, summary, signal }) {
      await hooks.run('PostCompact', { trigger, compact_summary: summary }, signal)
      return { notices: [] }
    },
  })

  /** What hooks of the start say about it stands behind the summary: the very next request has it. */
  async function startAgain(signal: AbortSignal): Promise<readonly TextBlock[]> {
    const started = await runStartHooks(hooks, environmentFile, { source: 'compact', model: model(), signal })
    return started.context.flatMap(({ content }) =>
      typeof content === 'string' ? [{ type: 'text', text: content }] : content.filter(isText),
    )
  }
}

/** In the frame of what no person said: it is to be no word of the user. */
function remind({ text, ...block }: TextBlock): TextBlock {
  return { ...block, text: reminderText(text) }
}

function isText(block: { readonly type: string }): block is TextBlock {
  return block.type === 'text'
}
