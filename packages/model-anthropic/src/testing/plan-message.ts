import type { JsonObject } from '@x/contract'
import type { RecordedRequest, WireBlock } from './recorded-request.ts'
import type { BlockStep, DelayStep, MessageReply, Step } from './steps.ts'
import { signThought } from './thought-ledger.ts'

/** What the server does next while it plays a message. */
export type Action =
  | { readonly kind: 'send'; readonly name: string; readonly data: string }
  | DelayStep
  | { readonly kind: 'silence' | 'cut' }

/** What the server provides for playing a message. */
export interface PlanContext {
  readonly request: RecordedRequest
  readonly nextId: (kind: 'msg' | 'toolu') => string
  /** Characters per delta. */
  readonly pieceLength: number
  /** Called with the complete blocks before the message ends. */
  readonly onBlocks: (blocks: readonly WireBlock[]) => void
}

/** Spells a scripted message out as the events of the service. */
export function* planMessage(reply: MessageReply, context: PlanContext): Generator<Action> {
  const state: MessageState = { index: 0, outputTokens: 0, isStarted: false, stop: null, blocks: [] }
  for (const step of reply.steps) {
    if (!state.isStarted && !isTiming(step)) {
      state.isStarted = true
      yield send('message_start', { message: startOf(reply, context) })
      yield send('ping', {})
    }
    yield* planStep(step, state, context)
    if (step.kind === 'error' || step.kind === 'cut' || step.kind === 'silence') return
  }
  if (!state.isStarted) yield send('message_start', { message: startOf(reply, context) })
  context.onBlocks(state.blocks)
  yield send('message_delta', endOf(reply, state))
  if (reply.omitMessageStop !== true) yield send('message_stop', {})
}

interface MessageState {
  index: number
  outputTokens: number
  isStarted: boolean
  stop: { readonly reason: string; readonly details?: JsonObject } | null
  readonly blocks: WireBlock[]
}

function isTiming(step: Step): boolean {
  return step.kind === 'delay' || step.kind === 'silence' || step.kind === 'cut'
}

function* planStep(step: Step, state: MessageState, context: PlanContext): Generator<Action> {
  switch (step.kind) {
    case 'block':
      yield* planBlock(step, state, context)
      return
    case 'ping':
      yield send('ping', {})
      return
    case 'event':
      yield { kind: 'send', name: step.name, data: textOf(step.data) }
      return
    case 'error':
      yield send('error', { error: { type: step.type, message: step.message } })
      return
    case 'stop':
      state.stop = step
      return
    case 'delay':
      yield step
      return
    case 'silence':
    case 'cut':
      yield { kind: step.kind }
  }
}

function* planBlock(step: BlockStep, state: MessageState, context: PlanContext): Generator<Action> {
  const { index } = state
  state.index += 1
  const isUnnamed = step.block['type'] === 'tool_use' && step.block['id'] === undefined
  const start = isUnnamed ? { ...step.block, id: context.nextId('toolu') } : step.block
  const whole: Record<string, unknown> & { type: string } = { ...start, type: String(step.block['type']) }
  yield send('content_block_start', { index, content_block: start })
  for (const delta of step.deltas) {
    const text =
      delta.type === 'signature_delta' && delta.text === '' ? signThought(thoughtOf(step)) : delta.text
    // The service begins every tool input with an empty piece.
    if (delta.type === 'input_json_delta') {
      yield send('content_block_delta', { index, delta: { type: delta.type, [delta.field]: '' } })
    }
    const pieceLength = delta.type === 'signature_delta' ? text.length : context.pieceLength
    for (const piece of cutText(text, pieceLength)) {
      yield send('content_block_delta', { index, delta: { type: delta.type, [delta.field]: piece } })
    }
    whole[delta.field] = text
    state.outputTokens += Math.ceil(text.length / 4)
  }
  if (step.isOpen) return
  yield send('content_block_stop', { index })
  state.blocks.push(whole)
}

function thoughtOf(step: BlockStep): string {
  return step.deltas.find((delta) => delta.type === 'thinking_delta')?.text ?? ''
}

// By code points: half of a surrogate pair has no UTF-8.
function* cutText(text: string, length: number): Generator<string> {
  const points = Array.from(text)
  for (let from = 0; from < points.length; from += Math.max(1, length)) {
    yield points.slice(from, from + Math.max(1, length)).join('')
  }
}

function startOf(reply: MessageReply, context: PlanContext): JsonObject {
  return {
    id: reply.id ?? context.nextId('msg'),
    type: 'message',
    role: 'assistant',
    model: reply.model ?? context.request.body.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: Math.ceil(context.request.text.length / 4),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 1,
      ...reply.usage,
    },
  }
}

function endOf(reply: MessageReply, state: MessageState): JsonObject {
  const hasCall = reply.steps.some((step) => step.kind === 'block' && step.block['type'] === 'tool_use')
  return {
    delta: {
      stop_reason: state.stop?.reason ?? (hasCall ? 'tool_use' : 'end_turn'),
      stop_sequence: null,
      stop_details: state.stop?.details ?? null,
    },
    usage: { output_tokens: Math.max(1, state.outputTokens), ...reply.usage },
  }
}

function send(name: string, fields: JsonObject): Action {
  return { kind: 'send', name, data: JSON.stringify({ type: name, ...fields }) }
}

function textOf(data: unknown): string {
  return typeof data === 'string' ? data : JSON.stringify(data)
}
