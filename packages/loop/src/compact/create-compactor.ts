import type { Message, SessionRecord } from '@x/contract'
import { systemClock } from '../clock.ts'
import { noteRecord } from '../records.ts'
import { askSummary } from './ask-summary.ts'
import { askHook, attach, tellHook } from './callbacks.ts'
import { assertCompactor, type CompactorOptions } from './compactor-options.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { type Job, openJob } from './job.ts'
import { aborted, boundaryRecord, failed, shorter, statusRecord, unchanged } from './outcomes.ts'
import type { Compact, CompactOutcome } from './port.ts'
import { chooseKept, type KeptPart, makeShorter } from './shorter-history.ts'
import { trimmedText } from './texts.ts'
import { trimResults } from './trim-results.ts'

/** Kept turns fill at most this part of what may be full, and never more tokens than that. */
const maxKeptPart = 0.2
const maxKeptTokens = 20_000
/** Trimming is enough when it leaves at most this part of what may be full: else it would be due again at once. */
const trimmedPart = 0.75

/**
 * Creates the function that makes histories shorter, for the option `compact` of a query and for `runCompaction`.
 *
 * First it removes old, large results of calls that can be made again, where that is enough. Else it asks the model for a summary, with
 * the same system prompt and tools, and keeps the last turns as they are. The result is valid and shorter, or there is none.
 *
 * @throws RangeError if `keepTurns`, `maxSummaryTokens` or `retry.maxRetries` is out of range.
 */
export function createCompactor(options: CompactorOptions): Compact {
  assertCompactor(options)
  return async function* compact(messages, request) {
    const job = openJob(options, messages, request)
    const isOff = options.isDisabled === true || (options.isAutoDisabled === true && job.trigger === 'auto')
    if (isOff) return unchanged('off', 'Compaction is switched off')
    return trimIfEnough(job) ?? (yield* summarizeIfPermitted(job))
  }
}

function trimIfEnough(job: Job): CompactOutcome | undefined {
  const { old, request, keepTurns, trigger, preTokens, limitTokens } = job
  if (trigger === 'manual') return undefined
  const messages = trimResults(old, { keepTurns, isRepeatable: request.isRepeatable ?? (() => false) })
  const saved = estimateTokens(old) - estimateTokens(messages)
  if (saved <= 0 || preTokens - saved > limitTokens * trimmedPart) return undefined
  const note = noteRecord(job, trimmedText(saved), { level: 'info' })
  return shorter(job, { kind: 'trim', messages }, async () => [note])
}

async function* summarizeIfPermitted(job: Job): AsyncGenerator<SessionRecord, CompactOutcome> {
  const maxTokens = Math.min(maxKeptTokens, job.limitTokens * maxKeptPart)
  const kept = chooseKept(job.old, { keepTurns: job.keepTurns, maxTokens })
  if (kept === undefined) return unchanged('empty', 'There is nothing to compact')
  const blocked = yield* askHook(job)
  if (blocked !== undefined) return blocked
  yield statusRecord(job, 'compacting')
  const outcome = yield* summarize(job, kept)
  if (outcome.type === 'unchanged') yield statusRecord(job, null)
  return outcome
}

async function* summarize(job: Job, kept: KeptPart): AsyncGenerator<SessionRecord, CompactOutcome> {
  const { request, old, model, clock = systemClock, random = Math.random } = job
  const retry = { maxRetries: 3, ...job.retry }
  const maxOutputTokens = job.maxSummaryTokens ?? request.maxOutputTokens
  const answer = yield* askSummary(old, request, { model, maxOutputTokens, retry, clock, random })
  if (answer === undefined) return aborted()
  if (answer.type === 'failed') return yield* failed(job, answer.why)
  const attachments = yield* attach(job)
  if (request.signal.aborted) return aborted()
  const messages: readonly Message[] | undefined = makeShorter(old, kept, {
    summary: answer.text,
    attachments,
  })
  if (messages === undefined) return yield* failed(job, 'the summary made it no shorter')
  return shorter(job, { kind: 'summary', messages }, async () => [
    boundaryRecord(job),
    ...(await tellHook(job, answer.text)),
    statusRecord(job, null),
  ])
}
