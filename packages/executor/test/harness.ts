import {
  type AssistantMessage,
  defineTool,
  type Tool,
  type ToolUseBlock,
  type ToolUseContext,
  type UiCallbacks,
} from '@x/contract'
import { z } from 'zod'
import {
  type BaseContext,
  createStreamingToolExecutor,
  type ExecutorEvent,
  type ExecutorOptions,
  type StreamingToolExecutor,
  type ToolResultEvent,
} from '../src/index.ts'
import { flush, VirtualClock } from './sim/virtual-clock.ts'

/** A tool whose behaviour a test writes in one line. */
export function makeTool(
  name: string,
  parts: Partial<Omit<Tool, 'call'>> & {
    call?: (input: Input, context: ToolUseContext, extra: CallExtra) => unknown
  } = {},
): Tool {
  const { call = () => ({ data: `${name} done` }), ...rest } = parts
  const tool = defineTool({
    name,
    description: name,
    inputSchema: z.record(z.string(), z.unknown()),
    // oxlint-disable-next-line max-params -- the contract's own signature
    call: async (input: Input, context, canUseTool, parentMessage, onProgress: (data: unknown) => void) =>
      call(input, context, { canUseTool, parentMessage, onProgress }) as never,
    mapResult: (output: unknown, toolUseId) => ({
      type: 'tool_result' as const,
      tool_use_id: toolUseId,
      content: typeof output === 'string' ? output : JSON.stringify(output),
    }),
  })
  return { ...tool, ...rest }
}

/** The input of such a tool. */
export type Input = Readonly<Record<string, unknown>>

/** What `call` gets beside input and context. */
export interface CallExtra {
  readonly canUseTool: Parameters<Tool['call']>[2]
  readonly parentMessage: AssistantMessage
  readonly onProgress: (data: unknown) => void
}

export const safe = { isConcurrencySafe: () => true, isReadOnly: () => true }

export function use(name: string, input: unknown = {}, id: string = `${name}-${++lastId}`): ToolUseBlock {
  return { type: 'tool_use', id, name, input }
}

let lastId = 0

export function assistant(...blocks: readonly ToolUseBlock[]): AssistantMessage {
  return { role: 'assistant', content: [...blocks] }
}

export function makeContext(tools: readonly Tool[], parts: Partial<BaseContext> = {}): BaseContext {
  return {
    cwd: '/project',
    messages: [],
    options: { tools, model: 'test', isNonInteractive: true, projectDir: '/project' },
    chain: { id: 'chain', depth: 0 },
    files: new Map(),
    getState: (key) => key.initial(),
    setState: () => undefined,
    ...parts,
  }
}

export function makeOptions(tools: readonly Tool[], parts: Partial<ExecutorOptions> = {}): ExecutorOptions {
  return {
    context: makeContext(tools),
    query: new AbortController(),
    authorize: async () => ({ behavior: 'allow', reason: { type: 'mode', detail: 'test' } }),
    ...parts,
  }
}

export async function collect(events: AsyncIterable<ExecutorEvent>): Promise<ExecutorEvent[]> {
  return Array.fromAsync(events)
}

export async function results(events: AsyncIterable<ExecutorEvent>): Promise<ToolResultEvent[]> {
  return (await collect(events)).filter((event) => event.type === 'tool-result')
}

export function textOf(event: ToolResultEvent | undefined): string {
  const content = event?.result.content
  return typeof content === 'string' ? content : JSON.stringify(content)
}

/** An executor on a virtual clock, and a log of what its tools do and when. */
export interface Stage {
  readonly clock: VirtualClock
  readonly executor: StreamingToolExecutor
  readonly options: ExecutorOptions
  /** Lines such as `20 A enters`. */
  readonly log: string[]
  /** What came out so far, once `play` has begun. */
  readonly events: ExecutorEvent[]
  readonly add: (...blocks: readonly ToolUseBlock[]) => void
  /** Does something at a moment. */
  readonly at: (ms: number, act: () => void) => void
  /** Lets time pass until nothing is due any more; takes everything out meanwhile. */
  readonly play: () => Promise<ToolResultEvent[]>
}

/** Sets up an executor whose tools are named in the log by the `name` of their input. */
export function stage(
  makeTools: (clock: VirtualClock, log: string[]) => readonly Tool[],
  { ui, ...parts }: Partial<ExecutorOptions> & { readonly ui?: UiCallbacks } = {},
): Stage {
  const clock = new VirtualClock()
  const log: string[] = []
  const events: ExecutorEvent[] = []
  const tools = makeTools(clock, log)
  const context = makeContext(tools, ui && { ui })
  const options = makeOptions(tools, { clock, context, ...parts })
  const executor = createStreamingToolExecutor(options)
  const take = async (): Promise<void> => {
    for await (const event of executor.getRemainingResults()) events.push(event)
  }
  return {
    clock,
    executor,
    options,
    log,
    events,
    add: (...blocks) => {
      for (const block of blocks) executor.addTool(block, assistant(...blocks))
    },
    at: (ms, act) => void clock.setTimeout(act, ms),
    async play() {
      await flush()
      await passTime(clock)
      const taking = take()
      await flush()
      await passTime(clock)
      await taking
      return events.filter((event) => event.type === 'tool-result')
    },
  }
}

/** Lets time pass until nothing is due any more. */
export async function passTime(clock: VirtualClock): Promise<void> {
  for (let due = clock.advance(); due.length > 0; due = clock.advance()) {
    for (const fire of due) {
      fire()
      await flush()
    }
  }
}

/** A tool that takes the time its input says, and logs when it begins its work and when it ends. */
export function slowTool(
  name: string,
  { clock, log }: { readonly clock: VirtualClock; readonly log: string[] },
  parts: Parameters<typeof makeTool>[1] & { readonly fails?: boolean; readonly obeys?: boolean } = {},
): Tool {
  const { fails = false, obeys = true, ...rest } = parts
  return makeTool(name, {
    call: async (input, context) => {
      const label = typeof input['name'] === 'string' ? input['name'] : name
      log.push(`${clock.now()} ${label} enters`)
      const time = clock.sleep(Number(input['ms'] ?? 0))
      await (obeys ? Promise.race([time, whenAborted(context.abortController.signal)]) : time)
      log.push(`${clock.now()} ${label} ends`)
      if (fails || input['fails'] === true) throw new Error(`${label} failed`)
      return { data: `${label} done` }
    },
    ...rest,
  })
}

/** Resolves when the signal is aborted. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
