import {
  type AssistantMessage,
  defineTool,
  type Tool,
  type ToolUseBlock,
  type ToolUseContext,
} from '@x/contract'
import { z } from 'zod'
import type { BaseContext, ExecutorEvent, ExecutorOptions, ToolResultEvent } from '../src/index.ts'

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
