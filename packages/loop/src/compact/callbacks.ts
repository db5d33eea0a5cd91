import type { ContentBlock, SessionRecord } from '@x/contract'
import { noteRecord } from '../records.ts'
import { describeError } from '../texts.ts'
import { untilAborted } from '../until-aborted.ts'
import type { Job } from './job.ts'
import { aborted, unchanged } from './outcomes.ts'
import type { UnchangedHistory } from './port.ts'
import { blockedText } from './texts.ts'

/** Asks whoever may block a compaction; gives the end of it if one does. */
export async function* askHook(job: Job): AsyncGenerator<SessionRecord, UnchangedHistory | undefined> {
  const { onPreCompact, trigger, request } = job
  const { signal, reason, instructions = null } = request
  try {
    const outcome = await untilAborted(signal, onPreCompact?.({ trigger, instructions, signal }))
    if (signal.aborted) return aborted()
    if (outcome?.blockingError === undefined) return undefined
    const message = blockedText(outcome.blockingError)
    // One that comes before the window is full may just as well come later: nobody needs to know.
    if (reason !== 'near-limit') yield noteRecord(job, message)
    return unchanged('blocked', message)
  } catch (error) {
    yield noteRecord(job, `A hook before compaction failed: ${describeError(error)}`)
    return undefined
  }
}

/** Gathers what joins the summary. */
export async function* attach(job: Job): AsyncGenerator<SessionRecord, readonly ContentBlock[]> {
  const { signal } = job.request
  try {
    return (await untilAborted(signal, job.attachments?.(signal))) ?? []
  } catch (error) {
    yield noteRecord(job, `Nothing was attached to the summary: ${describeError(error)}`)
    return []
  }
}

/** Tells that the shorter history is in place; gives what is to be shown. */
export async function tellHook(job: Job, summary: string): Promise<readonly SessionRecord[]> {
  const { onPostCompact, trigger, request } = job
  const { signal } = request
  try {
    const outcome = await untilAborted(signal, onPostCompact?.({ trigger, summary, signal }))
    return (outcome?.notices ?? []).map((notice) => noteRecord(job, notice, { level: 'notice' }))
  } catch (error) {
    return [noteRecord(job, `A hook after compaction failed: ${describeError(error)}`)]
  }
}
