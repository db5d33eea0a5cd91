import { defineTool, type SessionEvent, type Tool, type ToolDeclarations } from '@x/contract'
import { type SentToolResult, toolResults, type WireBlock } from '@x/model-anthropic/testing'
import { z } from 'zod'
import type { Scripted } from './scripted.ts'

/** What the strict server refused, by its last two messages; nothing, if the session keeps the service's rules. */
export function refusals({ server }: Scripted): readonly string[] {
  return server.requests
    .filter(({ status }) => status === 400)
    .map(({ index, body }) => `${index}: ${JSON.stringify(body.messages.slice(-2)).slice(0, 500)}`)
}

/** The results in the last message of a request. */
export function sentResults({ server }: Scripted, index: number): readonly SentToolResult[] {
  const request = server.requests[index]
  return request === undefined ? [] : toolResults(request)
}

/** The blocks of the last message of one role in a request. */
export function lastBlocks({ server }: Scripted, index: number, role: string): readonly WireBlock[] {
  const message = server.requests[index]?.body.messages.findLast((one) => one.role === role)
  const content = message?.content ?? []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** Ids of the calls in the last assistant message of a request. */
export function sentCalls(scripted: Scripted, index: number): readonly string[] {
  return lastBlocks(scripted, index, 'assistant')
    .filter(({ type }) => type === 'tool_use')
    .map((block) => String(block['id']))
}

/** What a test's tool is called with: anything. */
type Input = Readonly<Record<string, unknown>>

/** A tool that takes any input, may run beside others, and says what `call` gives back. */
export function createTool(
  name: string,
  call: (input: Input, signal: AbortSignal) => unknown,
  declarations: ToolDeclarations<Input> = {},
): Tool {
  return defineTool({
    name,
    description: 'A tool of the test.',
    inputSchema: z.looseObject({}),
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    ...declarations,
    call: async (input, { abortController: { signal } }) => ({ data: await call(input, signal) }),
    mapResult: (output, toolUseId) => ({
      type: 'tool_result',
      tool_use_id: toolUseId,
      content: String(output),
    }),
  })
}

/** Does the event tell that a call of this tool has begun, or ended? */
export function isPhase(event: SessionEvent, name: string, phase: 'start' | 'end'): boolean {
  return event.type === 'tool_progress' && event.phase === phase && event.tool_name === name
}

/** Is it the raw event that ends the block of this index? Seen with `includePartialMessages` only. */
export function isBlockEnd(event: SessionEvent, index: number): boolean {
  if (event.type !== 'stream_event') return false
  const { event: raw } = event
  return isJsonObject(raw) && raw['type'] === 'content_block_stop' && raw['index'] === index
}

/** The notes for the user, and the names of the other system records after the first. */
export function notesOf(events: readonly SessionEvent[]): readonly string[] {
  return events
    .slice(1)
    .flatMap((event) =>
      event.type === 'system'
        ? [event.subtype === 'informational' ? String(event['content']) : event.subtype]
        : [],
    )
}

function isJsonObject(value: unknown): value is Input {
  return typeof value === 'object' && value !== null
}
