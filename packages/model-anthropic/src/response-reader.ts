import type { JsonObject, ModelEvent, StopReason, Usage } from '@x/contract'
import { BlockAssembler } from './block-assembler.ts'
import { isJsonObject, toText } from './json-object.ts'
import { lostError } from './lost-error.ts'
import { parseJson } from './parse-json.ts'
import type { ServerSentEvent } from './sse-decoder.ts'
import { toModelError } from './to-model-error.ts'

/**
 * Turns the service's own events into the events of the model port. Keeps the state of one response.
 *
 * Pings and what no one knows yet never disturb it. An `error` event is thrown as a `ModelError`.
 */
export class ResponseReader {
  readonly #requestId: string | undefined
  readonly #blocks = new BlockAssembler()
  #usage: Usage = {
    input_tokens: 0,
    output_tokens: 0,
    cache_creation_input_tokens: null,
    cache_read_input_tokens: null,
  }
  #isComplete = false
  #isStopped = false

  constructor(requestId?: string) {
    this.#requestId = requestId
  }

  /** A stop reason has come: nothing that happens to the connection can take the response back. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** The service has said that nothing more comes. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Takes one event of the service and gives what it means: nothing for a ping, else one event. */
  take(event: ServerSentEvent): readonly ModelEvent[] {
    const raw = parseEvent(event)
    if (raw === undefined && !this.#isComplete) throw lostError(`the event "${event.name}" is not JSON`)
    if (!isJsonObject(raw)) return [{ type: 'other', raw }]
    if (raw['type'] === 'ping') return []
    if (raw['type'] === 'error' && !this.#isComplete) throw toModelError({ status: null, body: raw })
    return [this.#read(raw) ?? { type: 'other', raw }]
  }

  #read(raw: JsonObject): ModelEvent | null {
    switch (raw['type']) {
      case 'message_start':
        return this.#start(raw)
      case 'content_block_start':
        return this.#blocks.start(raw)
      case 'content_block_delta':
        return this.#blocks.delta(raw)
      case 'content_block_stop':
        return this.#blocks.stop(raw)
      case 'message_delta':
        return this.#delta(raw)
      case 'message_stop':
        this.#isStopped = true
        return null
      default:
        return null
    }
  }

  #start(raw: JsonObject): ModelEvent {
    const message = isJsonObject(raw['message']) ? raw['message'] : {}
    this.#mergeUsage(message['usage'])
    return {
      type: 'message-start',
      id: toText(message['id']),
      model: toText(message['model']),
      ...(this.#requestId !== undefined && { requestId: this.#requestId }),
      usage: this.#usage,
      raw,
    }
  }

  #delta(raw: JsonObject): ModelEvent | null {
    this.#mergeUsage(raw['usage'])
    const delta = isJsonObject(raw['delta']) ? raw['delta'] : {}
    if (typeof delta['stop_reason'] !== 'string') return null
    this.#isComplete = true
    const stopReason = toStopReason(delta['stop_reason'])
    const refusal = stopReason === 'refusal' ? refusalOf(delta['stop_details']) : undefined
    return {
      type: 'message-end',
      stopReason,
      usage: this.#usage,
      raw,
      ...(refusal === undefined ? {} : { refusal }),
    }
  }

  // Counts are cumulative; one that is absent or null stays what it was.
  #mergeUsage(counts: unknown): void {
    if (!isJsonObject(counts)) return
    const pick = <Value>(name: keyof Usage, before: Value): Value | number =>
      isCount(counts[name]) ? counts[name] : before
    this.#usage = {
      input_tokens: pick('input_tokens', this.#usage.input_tokens),
      output_tokens: pick('output_tokens', this.#usage.output_tokens),
      cache_creation_input_tokens: pick(
        'cache_creation_input_tokens',
        this.#usage.cache_creation_input_tokens,
      ),
      cache_read_input_tokens: pick('cache_read_input_tokens', this.#usage.cache_read_input_tokens),
    }
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value)
}

// Undefined for what is not JSON; an error may come as plain text.
function parseEvent({ name, data }: ServerSentEvent): unknown {
  const isError = name === 'error'
  try {
    const parsed: unknown = parseJson(data)
    return isError && isJsonObject(parsed) ? { ...parsed, type: 'error' } : parsed
  } catch {
    return isError ? { type: 'error', message: data } : undefined
  }
}

const stopReasons: readonly StopReason[] = [
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
]

// A reason no one knows yet still says that the response has ended.
function toStopReason(reason: string): StopReason {
  return stopReasons.find((known) => known === reason) ?? 'end_turn'
}

function refusalOf(details: unknown): string | undefined {
  if (!isJsonObject(details)) return undefined
  const { explanation, category } = details
  if (typeof explanation === 'string' && explanation !== '') return explanation
  return typeof category === 'string' ? category : undefined
}
