import type { Message, SessionRecord, SystemRecord } from '@x/contract'
import { noteRecord, systemRecord } from '../records.ts'
import type { Compaction } from './compactor-options.ts'
import type { Job } from './job.ts'
import type { ShorterHistory, UnchangedHistory } from './port.ts'
import { failedText } from './texts.ts'

/** Ends a compaction with a shorter history, which is logged when it is taken. */
export function shorter(
  job: Job,
  { kind, messages }: { readonly kind: Compaction['kind']; readonly messages: readonly Message[] },
  tell: () => Promise<readonly SessionRecord[]>,
): ShorterHistory {
  const { trigger, preTokens } = job
  return {
    type: 'shorter',
    messages,
    async commit() {
      await job.log({ kind, trigger, preTokens }, messages)
      return tell()
    },
  }
}

/** Ends a compaction that changes nothing. */
export function unchanged(cause: UnchangedHistory['cause'], message: string): UnchangedHistory {
  return { type: 'unchanged', cause, message }
}

/** Ends a compaction that was aborted. */
export function aborted(): UnchangedHistory {
  return unchanged('aborted', 'Compaction was aborted')
}

/** Ends a compaction that did not work, and says so. */
export function* failed(job: Pick<Job, 'place'>, why: string): Generator<SessionRecord, UnchangedHistory> {
  const message = failedText(why)
  yield noteRecord(job, message)
  return unchanged('failed', message)
}

/** Tells that a summary is being made, or no more. */
export function statusRecord(job: Pick<Job, 'place'>, status: 'compacting' | null): SystemRecord {
  return systemRecord(job, 'status', { status })
}

/** Tells where the old messages end. */
export function boundaryRecord(job: Job): SystemRecord {
  const { trigger, preTokens } = job
  return systemRecord(job, 'compact_boundary', { compact_metadata: { trigger, pre_tokens: preTokens } })
}
