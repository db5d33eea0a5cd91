import type { AssistantMessage, ToolResultBlock, ToolUseBlock } from '@x/contract'
import type {
  Cause,
  ExecutorEvent,
  ExecutorOptions,
  StreamingToolExecutor,
  ToolResultEvent,
} from '@x/executor'

/** The least that the loop needs of an executor: every call runs at once, results leave in call order. */
export function createFakeExecutor(options: ExecutorOptions): StreamingToolExecutor {
  const events: ExecutorEvent[] = []
  const calls: { id: string; result?: ToolResultEvent; isYielded: boolean; controller: AbortController }[] =
    []
  let isDiscarded = false
  let queuedText: string | undefined
  let hasEffects = false
  let wake: (() => void) | undefined
  const poke = (): void => {
    wake?.()
    options.debug?.({ toolUseId: '', toolName: '', state: 'completed', isConcurrencySafe: true, beside: [] })
  }

  function answer(id: string, cause: Cause, text: string): void {
    const isError = !text.startsWith('ok: ')
    const call = calls.find((each) => each.id === id)
    if (call === undefined || call.result !== undefined) return
    const result: ToolResultBlock = {
      type: 'tool_result',
      tool_use_id: id,
      content: text.replace(/^ok: /, ''),
      is_error: isError,
    }
    call.result = { type: 'tool-result', toolUseId: id, cause, result, attached: [], notices: [] }
    call.controller.abort()
    events.push({ type: 'tool-end', toolUseId: id, cause })
    poke()
  }

  async function run(
    block: ToolUseBlock,
    parent: AssistantMessage,
    controller: AbortController,
  ): Promise<void> {
    const tool = options.context.options.tools.find((each) => each.name === block.name)
    if (tool === undefined) return answer(block.id, 'unknown-tool', `No such tool available: ${block.name}`)
    events.push({ type: 'tool-start', toolUseId: block.id })
    poke()
    if (tool.isReadOnly?.(block.input) !== true) hasEffects = true
    const context = { ...options.context, toolUseId: block.id, abortController: controller }
    try {
      const allow = async () => ({ behavior: 'allow', reason: { type: 'mode', detail: '' } }) as const
      const output = await tool.call(block.input, context, allow, parent, (data) => {
        events.push({ type: 'tool-progress', toolUseId: block.id, data, dropped: 0 })
        poke()
      })
      answer(block.id, 'ran', `ok: ${String(output.data)}`)
    } catch (error) {
      answer(block.id, 'ran', String(error))
    }
  }

  const onAbort = (): void => calls.forEach((call) => answer(call.id, 'user-cancelled', 'cancelled'))
  options.query.signal.addEventListener('abort', onAbort)

  function* ready(): Generator<ExecutorEvent> {
    if (isDiscarded) return
    yield* events.splice(0)
    for (const call of calls) {
      if (call.isYielded) continue
      if (call.result === undefined) return
      call.isYielded = true
      yield call.result
    }
  }

  return {
    addTool(block, parent, { inputError } = {}) {
      const controller = new AbortController()
      calls.push({ id: block.id, isYielded: false, controller })
      if (options.query.signal.aborted) answer(block.id, 'user-cancelled', 'cancelled')
      else if (queuedText !== undefined) answer(block.id, 'not-started', queuedText)
      else if (inputError !== undefined) answer(block.id, 'invalid-input', inputError)
      else void run(block, parent, controller)
    },
    getCompletedResults: () => [...ready()],
    async *getRemainingResults() {
      for (;;) {
        yield* ready()
        if (isDiscarded || calls.every((call) => call.isYielded)) break
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      options.query.signal.removeEventListener('abort', onAbort)
    },
    cancelQueued(text) {
      queuedText = text
    },
    interrupt() {},
    discard() {
      options.query.signal.removeEventListener('abort', onAbort)
      for (const call of calls) answer(call.id, 'streaming-fallback', 'withdrawn')
      isDiscarded = true
      wake?.()
      return calls.flatMap((call) => (call.isYielded || call.result === undefined ? [] : [call.result]))
    },
    get hasEffects() {
      return hasEffects
    },
    context: options.context,
    settled: Promise.resolve(),
    async [Symbol.asyncDispose]() {},
  }
}
