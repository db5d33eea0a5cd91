import type { ContentBlock, Message, ToolUseBlock } from '@x/contract'
import { estimateBlock } from './estimate-tokens.ts'
import { recentStart } from './recent-start.ts'

type ResultBlock = Extract<ContentBlock, { type: 'tool_result' }>

/** Which results may go. */
export interface TrimOptions {
  /** So many last turns stay as they are. */
  readonly keepTurns: number
  /** Tells whether a call may simply be made again. */
  readonly isRepeatable: (call: ToolUseBlock) => boolean
}

/** Smaller results stay: the note in their place would save next to nothing. Well above the longest note, so that notes stay. */
const minTokens = 400
const maxInputLength = 200
const maxPathLine = 600

/**
 * Puts a short note in the place of each old, large result that can be had again. Calls, thinking and everything else stay the same
 * objects, and so do messages without such a result. Depends on the messages alone; what is trimmed stays as it is.
 */
export function trimResults(messages: readonly Message[], options: TrimOptions): readonly Message[] {
  const end = recentStart(messages, options.keepTurns)
  const calls = new Map<string, ToolUseBlock>()
  return messages.map((message, index) => {
    if (index >= end || typeof message.content === 'string') return message
    for (const block of message.content) if (block.type === 'tool_use') calls.set(block.id, block)
    return message.role === 'user' ? trimMessage(message, calls, options) : message
  })
}

function trimMessage(
  message: Message & { readonly role: 'user' },
  calls: ReadonlyMap<string, ToolUseBlock>,
  { isRepeatable }: TrimOptions,
): Message {
  if (typeof message.content === 'string') return message
  const content = message.content.map((block): ContentBlock => {
    if (block.type !== 'tool_result' || !isPlain(block) || estimateBlock(block) < minTokens) return block
    const call = calls.get(block.tool_use_id)
    const stored = storedLine(block)
    if (call === undefined || (stored === undefined && !isRepeatable(call))) return block
    return { ...block, content: noteFor(call, block, stored) }
  })
  const isSame = content.every((block, index) => block === message.content[index])
  return isSame ? message : { ...message, content }
}

/** Loaded tools and what services make are more than words: without them, later calls would make no sense. */
function isPlain({ content }: ResultBlock): boolean {
  if (content === undefined || typeof content === 'string') return true
  return content.every(({ type }) => type === 'text' || type === 'image' || type === 'document')
}

/** A result that was too long to show lies in a file already; the line that says where is kept. */
function storedLine({ content }: ResultBlock): string | undefined {
  if (typeof content !== 'string' || !content.startsWith('<persisted-output>\n')) return undefined
  const line = content.split('\n', 2)[1]
  return line === undefined || line.length > maxPathLine ? undefined : line
}

function noteFor(call: ToolUseBlock, result: ResultBlock, stored: string | undefined): string {
  const input = JSON.stringify(call.input)
  const short = input.length > maxInputLength ? `${input.slice(0, maxInputLength).toWellFormed()}...` : input
  const again = stored ?? 'Make the call again if you need it.'
  return `[The result of this old call was removed to save space: ${call.name} ${short}, about ${estimateBlock(result)} tokens. ${again}]`
}
