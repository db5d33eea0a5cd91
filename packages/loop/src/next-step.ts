import { isModelError, ModelError } from '@x/contract'
import type { Attempt } from './attempt.ts'
import { canFallBack } from './fallback.ts'
import { planRetry, type RetryCount, type RetryPlan } from './retry.ts'
import type { StreamOutcome } from './stream-message.ts'
import { describeError } from './texts.ts'
import type { QueryOptions } from './types.ts'

/** What is done after one attempt at a message. */
export type NextStep =
  /** The message stays; `switches`: the next turn begins with the next fallback. */
  | {
      readonly type: 'keep'
      readonly isAborted: boolean
      readonly broken?: ModelError
      readonly switches: boolean
    }
  /** The message is withdrawn and the same model asked again. */
  | { readonly type: 'retry'; readonly plan: RetryPlan; readonly error: ModelError }
  /** The message is withdrawn and the next model asked. */
  | { readonly type: 'fall-back'; readonly why: string }
  /** Nothing came of it. */
  | { readonly type: 'fail'; readonly error: ModelError }

/** What is decided by, of an attempt. */
export type AttemptFacts = Pick<Attempt, 'hasComplete' | 'hasThinking' | 'stopReason'> & {
  readonly executor: Pick<Attempt['executor'], 'hasEffects'>
}

/** What is decided by, beside the attempt. */
export interface StepFacts {
  readonly count: RetryCount
  readonly hasFallback: boolean
}

/**
 * Decides after an attempt. A message is withdrawn only while nothing with effects has begun; one with a complete text or
 * call is never asked for again from the same model.
 */
export function nextStep(
  options: Pick<QueryOptions, 'retry' | 'random'>,
  attempt: AttemptFacts,
  facts: StepFacts & { readonly outcome: StreamOutcome },
): NextStep {
  const { outcome } = facts
  switch (outcome.type) {
    case 'aborted':
      return { type: 'keep', isAborted: true, switches: false }
    case 'complete':
      return afterEnd(attempt, facts)
    case 'failed':
      return afterBreak(options, attempt, { ...facts, error: toModelError(outcome.error) })
  }
}

function afterEnd({ stopReason, executor }: AttemptFacts, { hasFallback }: StepFacts): NextStep {
  const switches = stopReason === 'refusal' && hasFallback
  if (switches && !executor.hasEffects) return { type: 'fall-back', why: 'the model declined' }
  return { type: 'keep', isAborted: false, switches }
}

function afterBreak(
  options: Pick<QueryOptions, 'retry' | 'random'>,
  { hasComplete, hasThinking, executor }: AttemptFacts,
  { error, count, hasFallback }: StepFacts & { readonly error: ModelError },
): NextStep {
  const falls = hasFallback && canFallBack(error.code)
  if (hasComplete && (!falls || executor.hasEffects)) {
    return { type: 'keep', isAborted: false, broken: error, switches: falls }
  }
  const plan = hasComplete ? undefined : planRetry(options, count, { error, hasThinking })
  if (plan !== undefined) return { type: 'retry', plan, error }
  return falls ? { type: 'fall-back', why: error.message } : { type: 'fail', error }
}

function toModelError(error: unknown): ModelError {
  if (isModelError(error)) return error
  const facts = { code: 'unknown', status: null, isRetryable: false, cause: error } as const
  return new ModelError(describeError(error), facts)
}
