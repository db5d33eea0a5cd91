import type { Message, SessionRecord } from '@x/contract'
import { describeError } from '../texts.ts'
import { untilAborted } from '../until-aborted.ts'
import { aborted, failed, statusRecord } from './outcomes.ts'
import type { Compact, CompactOptions, CompactOutcome, UnchangedHistory } from './port.ts'

/** What came of a compaction. */
export type CompactionEnd =
  | {
      /** Names the outcome. */
      readonly type: 'shorter'
      /** The history from now on; it is logged. */
      readonly messages: readonly Message[]
      /** What is to be shown once it is in place. */
      readonly records: readonly SessionRecord[]
    }
  | UnchangedHistory

/**
 * Compacts a history, also when the user asks (`reason: 'manual'`): yields records, then gives the history that counts from now on.
 *
 * An abort ends it at once with the history as it was, whatever model and hooks do; only what is being logged already is waited for.
 * A throw inside `compact` is a failure and told. Rejects only where the shorter history cannot be logged.
 *
 * @example
 * const end = yield* runCompaction(compact, messages, { reason: 'manual', modelName, system, tools, instructions, signal })
 * if (end.type === 'shorter') messages = end.messages
 * yield* end.type === 'shorter' ? end.records : []
 */
export async function* runCompaction(
  compact: Compact,
  messages: readonly Message[],
  options: CompactOptions,
): AsyncGenerator<SessionRecord, CompactionEnd> {
  const outcome = yield* follow(compact(messages, options), options)
  if (outcome.type === 'unchanged') return outcome
  return { type: 'shorter', messages: outcome.messages, records: await outcome.commit() }
}

async function* follow(
  run: ReturnType<Compact>,
  { signal, parentToolUseId = null }: CompactOptions,
): AsyncGenerator<SessionRecord, CompactOutcome> {
  const job = { place: { parent_tool_use_id: parentToolUseId } }
  let isBusy = false
  try {
    for (;;) {
      const step = await untilAborted(signal, run.next())
      if (step?.done === true) return step.value
      if (step === undefined) break
      if (isStatus(step.value)) isBusy = step.value['status'] === 'compacting'
      yield step.value
    }
  } catch (error) {
    if (isBusy) yield statusRecord(job, null)
    return yield* failed(job, describeError(error))
  } finally {
    // It may hang, and nobody waits for it any more.
    run.return(aborted()).catch(() => {})
  }
  if (isBusy) yield statusRecord(job, null)
  return aborted()
}

function isStatus(record: SessionRecord): record is SessionRecord & { readonly type: 'system' } {
  return record.type === 'system' && record.subtype === 'status'
}
