import type { AssistantMessage, ToolUseBlock } from '@x/contract'
import {
  type CallControl,
  createStreamingToolExecutor,
  type ExecutorEvent,
  type ExecutorOptions,
  runTools,
  type StreamingToolExecutor,
  type ToolResultEvent,
} from '@x/executor'

interface CollectedCall {
  readonly block: ToolUseBlock
  readonly parentMessage: AssistantMessage
  readonly inputError?: string
}

/** The batch engine behind the door of the streaming one: nothing begins before all calls of the message are known. */
export class BatchExecutor implements StreamingToolExecutor {
  readonly #options: ExecutorOptions
  readonly #calls: CollectedCall[] = []
  #refusal: string | undefined
  #run: CallControl | undefined
  #isDiscarded = false

  constructor(options: ExecutorOptions) {
    this.#options = options
  }

  addTool(
    block: ToolUseBlock,
    parentMessage: AssistantMessage,
    options: { readonly inputError?: string } = {},
  ): void {
    this.#calls.push({ block, parentMessage, ...options })
  }

  getCompletedResults(): Iterable<ExecutorEvent> {
    return []
  }

  getRemainingResults(): AsyncIterable<ExecutorEvent> {
    if (this.#isDiscarded) return nothing()
    const needsStreaming =
      this.#refusal !== undefined || this.#calls.some((call) => call.inputError !== undefined)
    return needsStreaming ? this.#runOneByOne() : this.#runAll()
  }

  cancelQueued(message: string): void {
    if (this.#run === undefined) this.#refusal = message
    else this.#run.cancelQueued(message)
  }

  interrupt(): void {
    this.#run?.interrupt()
  }

  discard(): readonly ToolResultEvent[] {
    this.#isDiscarded = true
    return this.#run?.discard() ?? []
  }

  get hasEffects(): boolean {
    return this.#run?.hasEffects ?? false
  }

  get context(): ExecutorOptions['context'] {
    return this.#run?.context ?? this.#options.context
  }

  get settled(): Promise<void> {
    return this.#run?.settled ?? Promise.resolve()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.discard()
    await this.settled
  }

  #runAll(): AsyncIterable<ExecutorEvent> {
    const message = this.#calls.at(-1)?.parentMessage ?? { role: 'assistant', content: [] }
    const blocks = this.#calls.map((call) => call.block)
    const run = runTools(blocks, message, this.#options)
    this.#run = run
    return run
  }

  /** Calls that must not run can be told so by the streaming executor alone. */
  #runOneByOne(): AsyncIterable<ExecutorEvent> {
    const executor = createStreamingToolExecutor(this.#options)
    this.#run = executor
    if (this.#refusal !== undefined) executor.cancelQueued(this.#refusal)
    for (const { block, parentMessage, ...options } of this.#calls)
      executor.addTool(block, parentMessage, options)
    return executor.getRemainingResults()
  }
}

async function* nothing(): AsyncGenerator<ExecutorEvent> {}
