import { reminderText, type TextBlock, withoutUndefined } from '@x/contract'
import { type Compact, createCompactor } from '@x/loop'
import type { SessionFileCache } from '@x/tools-files'
import type { Compaction } from '@x/transcript'
import type { SessionHooks } from '../hooks/session-hooks.ts'
import type { SessionSetup } from '../session-setup.ts'

/** What the compactor of one conversation is made of. */
export interface HookedCompactorFacts {
  readonly setup: Pick<SessionSetup, 'endpoint' | 'environment'>
  /** Those that count in the conversation. */
  readonly hooks: Pick<SessionHooks, 'run'>
  /** What it has read; forgotten when the text of it is gone. */
  readonly files: Pick<SessionFileCache, 'forgetContent'> | undefined
  /** Writes the shorter conversation down. */
  readonly log: (compaction: Compaction) => Promise<void>
  /** What stands behind the summary. */
  readonly attachments: (signal: AbortSignal) => Promise<readonly TextBlock[]>
}

/** Makes what shortens a conversation of the session, with the hooks around it and its log behind it. */
export function createHookedCompactor(facts: HookedCompactorFacts): Compact {
  const { setup, hooks, files, log, attachments } = facts
  const { endpoint, environment } = setup
  return createCompactor({
    model: endpoint,
    retry: withoutUndefined({ maxRetries: environment.maxRetries }),
    isAutoDisabled: environment.isAutoCompactOff,
    isDisabled: environment.isCompactOff,
    attachments,
    async log({ kind, trigger, preTokens }, messages) {
      await log({ trigger, preTokens, messages, hasSummary: kind === 'summary' })
      files?.forgetContent()
    },
    async onPreCompact({ trigger, instructions, signal }) {
      const result = await hooks.run('PreCompact', { trigger, custom_instructions: instructions }, signal)
      return result?.outcome === 'block' ? { blockingError: result.reason ?? '' } : undefined
    },
    async onPostCompact({ trigger, summary, signal }) {
      await hooks.run('PostCompact', { trigger, compact_summary: summary }, signal)
      return { notices: [] }
    },
  })
}

/** In the frame of what no person said: it is to be no word of the user. */
export function remind({ text, ...block }: TextBlock): TextBlock {
  return { ...block, text: reminderText(text) }
}
