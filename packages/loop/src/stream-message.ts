import { ModelError, type ModelEvent, type SessionRecord } from '@x/contract'
import { type Attempt, acceptBlock } from './attempt.ts'
import { assistantRecords, executorRecords } from './attempt-records.ts'
import type { Inbox } from './inbox.ts'
import { noUsage } from './meter.ts'
import type { QueryState } from './state.ts'

/** How the stream of one message ended. */
export type StreamOutcome =
  | { readonly type: 'complete' }
  | { readonly type: 'aborted' }
  | { readonly type: 'failed'; readonly error: unknown }

/** What arrives while a message streams. */
export type Arrival =
  /** `upTo`: how many blocks were complete after it. */
  { readonly type: 'event'; readonly event: ModelEvent; readonly upTo: number } | StreamOutcome

/**
 * Streams one message: complete calls go to the executor at once, records of what is ready come out at once.
 *
 * Reading goes on beside the consumer, so that a slow one does not hold back a call. An abort ends the wait even if the
 * model's stream does not obey.
 */
export async function* streamMessage(
  state: QueryState,
  attempt: Attempt,
  inbox: Inbox<Arrival>,
): AsyncGenerator<SessionRecord, StreamOutcome> {
  const { signal } = state
  void readStream(state, attempt, inbox)
  signal.addEventListener('abort', inbox.wake)
  try {
    for (;;) {
      const end = yield* showArrivals(state, attempt, inbox)
      if (end !== undefined) return settle(attempt, signal, end)
      if (signal.aborted) return settle(attempt, signal, { type: 'aborted' })
      await inbox.changed()
    }
  } finally {
    signal.removeEventListener('abort', inbox.wake)
    attempt.isClosed = true
    if (attempt.isReading) attempt.controller.abort()
    attempt.controller[Symbol.dispose]()
    state.meter.apiMs += state.clock.now() - attempt.startedAt
    if (attempt.usage !== noUsage) state.meter.add(attempt.model, attempt.usage)
  }
}

async function readStream(state: QueryState, attempt: Attempt, inbox: Inbox<Arrival>): Promise<void> {
  try {
    for await (const event of state.options.model.stream(toRequest(state, attempt))) {
      if (attempt.isClosed || state.signal.aborted) return
      acceptEvent(state, attempt, event)
      inbox.put({ type: 'event', event, upTo: attempt.content.length })
    }
    attempt.isReading = false
    inbox.put({ type: 'complete' })
  } catch (error) {
    attempt.isReading = false
    inbox.put({ type: 'failed', error })
  }
}

function toRequest(
  { options, tools, defineTools }: QueryState,
  attempt: Attempt,
): Parameters<QueryState['options']['model']['stream']>[0] {
  const { maxOutputTokens, effort } = options
  return {
    model: attempt.model,
    system: options.system ?? [],
    tools: defineTools(tools),
    messages: attempt.request,
    signal: attempt.controller.signal,
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(effort !== undefined && { effort }),
  }
}

function acceptEvent(state: QueryState, attempt: Attempt, event: ModelEvent): void {
  switch (event.type) {
    case 'message-start':
      attempt.message = { ...attempt.message, id: event.id }
      attempt.servedBy = event.model
      attempt.requestId = event.requestId
      attempt.usage = event.usage
      return
    case 'block-start':
      attempt.openBlocks.set(event.index, event.blockType)
      return
    case 'block-end':
      attempt.openBlocks.delete(event.index)
      acceptBlock(state, attempt, event)
      return
    case 'message-end':
      attempt.stopReason = event.stopReason
      attempt.usage = event.usage
      attempt.refusal = event.refusal
      return
    case 'block-delta':
    case 'other':
  }
}

/** What the model said before a call began is shown before the call, however far reading has got ahead of the consumer. */
function* showArrivals(
  state: QueryState,
  attempt: Attempt,
  inbox: Inbox<Arrival>,
): Generator<SessionRecord, StreamOutcome | undefined> {
  do {
    for (const arrival of inbox.take()) {
      if (arrival.type !== 'event') return arrival
      yield* streamRecords(state, attempt, arrival)
    }
  } while (inbox.hasItems)
  for (const event of attempt.executor.getCompletedResults()) {
    yield* executorRecords(state, attempt, event)
    if (inbox.hasItems) break
  }
  return undefined
}

function* streamRecords(
  state: QueryState,
  attempt: Attempt,
  { event, upTo }: Extract<Arrival, { type: 'event' }>,
): Generator<SessionRecord> {
  if (state.options.includePartialMessages === true && event.raw !== undefined) {
    attempt.isShown = true
    const isStart = event.type === 'message-start'
    const waited = Math.round(state.clock.now() - attempt.startedAt)
    yield {
      type: 'stream_event',
      event: event.raw,
      ...state.place,
      ...(isStart && { ttft_ms: waited }),
    }
  }
  if (event.type === 'block-end' && event.block.type === 'tool_use')
    yield* assistantRecords(state, attempt, { upTo })
}

/** After the stop reason the message counts as complete, whatever happens to the line; without one it broke off. */
function settle(attempt: Attempt, signal: AbortSignal, outcome: StreamOutcome): StreamOutcome {
  if (attempt.stopReason !== undefined) return { type: 'complete' }
  if (signal.aborted) return { type: 'aborted' }
  if (outcome.type !== 'complete') return outcome
  const error = new ModelError('The stream ended without a stop reason', {
    code: 'connection_lost',
    status: null,
    isRetryable: true,
  })
  return { type: 'failed', error }
}
