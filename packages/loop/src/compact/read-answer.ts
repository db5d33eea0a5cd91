import {
  isModelError,
  type Model,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type StopReason,
  type Usage,
} from '@x/contract'
import { describeError } from '../texts.ts'

/** What one request for a summary came to. */
export type Answer =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'too-long'; readonly why: string }
  | { readonly type: 'failed'; readonly why: string; readonly error?: ModelError }

interface Reading {
  readonly texts: string[]
  hasCalls: boolean
  stopReason: StopReason | undefined
  refusal: string | undefined
  usage: Usage | undefined
}

/** Reads one whole answer. Calls in it are not run. Never rejects; after an abort it ends with the model's stream. */
export async function readAnswer(
  model: Model,
  request: ModelRequest,
  onUsage: (modelName: string, usage: Usage) => void,
): Promise<Answer> {
  const reading: Reading = {
    texts: [],
    hasCalls: false,
    stopReason: undefined,
    refusal: undefined,
    usage: undefined,
  }
  try {
    for await (const event of model.stream(request)) {
      request.signal.throwIfAborted()
      take(reading, event)
    }
    return toAnswer(reading)
  } catch (error) {
    return toFailure(error)
  } finally {
    if (reading.usage !== undefined) onUsage(request.model, reading.usage)
  }
}

function take(reading: Reading, event: ModelEvent): void {
  if (event.type === 'message-start') reading.usage = event.usage
  if (event.type === 'block-end') {
    if (event.block.type === 'text') reading.texts.push(event.block.text)
    reading.hasCalls ||= event.block.type === 'tool_use'
  }
  if (event.type === 'message-end') {
    reading.stopReason = event.stopReason
    reading.refusal = event.refusal
    reading.usage = event.usage
  }
}

function toAnswer({ texts, hasCalls, stopReason, refusal }: Reading): Answer {
  if (stopReason === undefined) {
    const facts = { code: 'connection_lost', status: null, isRetryable: true } as const
    return toFailure(new ModelError('The stream ended without a stop reason', facts))
  }
  if (stopReason === 'model_context_window_exceeded')
    return { type: 'too-long', why: 'the summary met the end of the window' }
  if (stopReason === 'refusal') return { type: 'failed', why: refusal ?? 'the model declined' }
  if (hasCalls || stopReason === 'tool_use') return { type: 'failed', why: 'the model called a tool' }
  if (stopReason === 'max_tokens') return { type: 'failed', why: 'the output limit cut the summary' }
  if (stopReason === 'pause_turn') return { type: 'failed', why: 'the model paused' }
  const text = texts.join('\n').trim()
  return text === '' ? { type: 'failed', why: 'the model said nothing' } : { type: 'text', text }
}

function toFailure(error: unknown): Answer {
  const why = describeError(error)
  if (!isModelError(error)) return { type: 'failed', why }
  const isTooLong = error.code === 'prompt_too_long' || error.code === 'request_too_large'
  return isTooLong ? { type: 'too-long', why } : { type: 'failed', why, error }
}
