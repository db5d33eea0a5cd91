import {
  type ContentBlock,
  type Model,
  ModelError,
  type ModelErrorCode,
  type ModelEvent,
  type ModelRequest,
  type StopReason,
  type Usage,
} from '@x/contract'

/** One thing a scripted message does. */
export type Step =
  | ModelEvent
  | { readonly type: 'throw'; readonly error: unknown }
  | { readonly type: 'wait'; readonly until: (request: ModelRequest) => Promise<unknown> }

/** A model that plays one script for each request and keeps the requests. */
export interface ScriptedModel extends Model {
  readonly requests: ModelRequest[]
}

/** Creates it; a request beyond the scripts is answered with `Done.` */
export function scriptedModel(...scripts: readonly (readonly Step[])[]): ScriptedModel {
  const requests: ModelRequest[] = []
  return {
    requests,
    contextWindow: () => 200_000,
    async *stream(request) {
      const script = scripts[requests.length] ?? message(text('Done.'))
      requests.push(request)
      for (const step of script) {
        request.signal.throwIfAborted()
        if (step.type === 'throw') throw step.error
        if (step.type === 'wait') await step.until(request)
        else yield step
        await Promise.resolve()
      }
    },
  }
}

let messageNumber = 0

/** A whole message of these blocks. */
export function message(...blocks: (ContentBlock | readonly Step[] | StopReason)[]): Step[] {
  const steps: Step[] = [start()]
  let index = 0
  let stopReason: StopReason = 'end_turn'
  for (const block of blocks) {
    if (typeof block === 'string') stopReason = block
    else if ('length' in block) steps.push(...block)
    else {
      if (block.type === 'tool_use') stopReason = 'tool_use'
      steps.push(...blockSteps(block, index))
      index += 1
    }
  }
  return [...steps, end(stopReason)]
}

/** The beginning of a message that breaks off: no stop reason. */
export function broken(...blocks: (ContentBlock | readonly Step[])[]): Step[] {
  return message(...blocks).slice(0, -1)
}

export function blockSteps(block: ContentBlock, index: number): ModelEvent[] {
  return [
    { type: 'block-start', index, blockType: block.type },
    { type: 'block-delta', index },
    { type: 'block-end', index, block },
  ]
}

export function start(id = `msg_${(messageNumber += 1)}`): ModelEvent {
  return { type: 'message-start', id, model: 'main', usage: usage(10, 1), raw: { type: 'message_start' } }
}

export function end(stopReason: StopReason, more: { refusal?: string } = {}): ModelEvent {
  return { type: 'message-end', stopReason, usage: usage(10, 5), raw: { type: 'message_delta' }, ...more }
}

export function usage(input: number, output: number): Usage {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_creation_input_tokens: null,
    cache_read_input_tokens: null,
  }
}

export function text(content: string): ContentBlock {
  return { type: 'text', text: content }
}

export function call(id: string, name: string, input: unknown = {}): ContentBlock {
  return { type: 'tool_use', id, name, input }
}

/** A block that begins and is cut off. */
export function cut(blockType: string, index = 9): ModelEvent[] {
  return [
    { type: 'block-start', index, blockType },
    { type: 'block-delta', index, text: '{"file_path":"a.txt"}' },
  ]
}

export function fails(code: ModelErrorCode, more: { status?: number; retryAfterMs?: number } = {}): Step {
  const isRetryable = [
    'overloaded',
    'server_error',
    'connection_lost',
    'stalled',
    'timeout',
    'rate_limit',
  ].includes(code)
  const { status = null, retryAfterMs } = more
  return {
    type: 'throw',
    error: new ModelError(code, {
      code,
      status,
      isRetryable,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    }),
  }
}
