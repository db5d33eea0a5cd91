import { createChildAbortController } from '@x/abort'
import type {
  AssistantMessage,
  ContentBlock,
  DeferredToolUse,
  Message,
  StopReason,
  ToolUseBlock,
  Usage,
} from '@x/contract'
import type { StreamingToolExecutor, ToolResultEvent } from '@x/executor'
import { type CallGate, createCallGate } from './call-gate.ts'
import { noUsage } from './meter.ts'
import type { QueryState } from './state.ts'

/** One call of a message, for its progress records. */
interface CallFacts {
  readonly name: string
  /** The number of blocks up to and with its own. */
  readonly upTo: number
  startedAt: number
  isRunning: boolean
}

/** One try at one model message: what has arrived of it, and the calls it started. */
export interface Attempt {
  readonly model: string
  /** The request's own: a child of the query's. */
  readonly controller: AbortController & Disposable
  readonly request: readonly Message[]
  readonly executor: StreamingToolExecutor
  readonly gate: CallGate
  readonly calls: Map<string, CallFacts>
  readonly results: ToolResultEvent[]
  readonly startedAt: number
  /** The complete blocks; grows while the message streams. */
  readonly content: ContentBlock[]
  message: AssistantMessage
  /** The model that answers, as the service names it. */
  servedBy: string
  /** The service's id of the request. */
  requestId: string | undefined
  usage: Usage
  /** Blocks that went out in assistant records. */
  shownBlocks: number
  /** The consumer has seen something of it. */
  isShown: boolean
  /** Types of the blocks that have begun and not ended. */
  readonly openBlocks: Map<number, string>
  /** A text or a call is complete: the message is not asked for again. */
  hasComplete: boolean
  hasThinking: boolean
  stopReason: StopReason | undefined
  refusal: string | undefined
  /** The model's stream has not ended by itself. */
  isReading: boolean
  /** Nothing further is taken in. */
  isClosed: boolean
  /** The output limit cut a call. */
  hasLostCall: boolean
  /** The log has the message already. */
  isLogged: boolean
  /** The one call, if a hook put it off. */
  deferral: DeferredToolUse | undefined
}

/** Begins an attempt; `wake` is called whenever a call has something to say. */
export function openAttempt(
  state: QueryState,
  {
    model,
    request,
    wake,
  }: { readonly model: string; readonly request: readonly Message[]; readonly wake: () => void },
): Attempt {
  const content: ContentBlock[] = []
  const gate = createCallGate(state, { model, request, wake })
  const attempt: Attempt = {
    model,
    controller: createChildAbortController(state.options.controller),
    request,
    executor: gate.executor,
    gate,
    calls: new Map(),
    results: [],
    startedAt: state.clock.now(),
    content,
    message: { role: 'assistant', content },
    servedBy: model,
    requestId: undefined,
    usage: noUsage,
    shownBlocks: 0,
    isShown: false,
    openBlocks: new Map(),
    hasComplete: false,
    hasThinking: false,
    stopReason: undefined,
    refusal: undefined,
    isReading: true,
    isClosed: false,
    hasLostCall: false,
    isLogged: false,
    deferral: undefined,
  }
  state.attempt = attempt
  return attempt
}

/** Takes one complete block in; a call goes to the executor at once. */
export function acceptBlock(
  state: QueryState,
  attempt: Attempt,
  { block, inputError }: { readonly block: ContentBlock; readonly inputError?: string | undefined },
): void {
  attempt.gate.release()
  if (block.type === 'tool_use') acceptCall(state, attempt, { block, inputError })
  else if (block.type === 'text') {
    if (!/\S/u.test(block.text)) return
    attempt.content.push(block)
    attempt.hasComplete = true
  } else {
    attempt.content.push(block)
    attempt.hasThinking ||= block.type === 'thinking' || block.type === 'redacted_thinking'
  }
}

function acceptCall(
  state: QueryState,
  attempt: Attempt,
  { block, inputError }: { readonly block: ToolUseBlock; readonly inputError?: string | undefined },
): void {
  const id = state.history.claimId(block.id)
  const call = { ...block, id }
  attempt.content.push({ ...call, name: toSendableName(call.name) })
  const upTo = attempt.content.length
  attempt.calls.set(id, { name: call.name, upTo, startedAt: state.clock.now(), isRunning: false })
  attempt.hasComplete ||= inputError === undefined
  attempt.gate.add(call, attempt.message, inputError)
}

/** The executor is told the name as it came; in the history a service would refuse one that no tool could have. */
function toSendableName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/gu, '_').slice(0, maxNameLength) || 'unknown'
}

const maxNameLength = 128
