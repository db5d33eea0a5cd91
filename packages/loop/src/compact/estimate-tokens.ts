import type { ContentBlock, Message, TextBlock, ToolDefinition, ToolResultPart } from '@x/contract'

/** Bytes of UTF-8 that make one token, roughly: 4 letters of English; other scripts have more bytes and more tokens a letter. */
const bytesPerToken = 4
/** A picture of the size that services scale to. */
const imageTokens = 1_600
/** A PDF is paid by page, whose size nobody knows from outside: some 50 KB and 1,700 tokens. */
const pdfBytesPerToken = 40

type SizedBlock = ContentBlock | ToolResultPart

const estimates = new WeakMap<Message, number>()

/**
 * Estimates the tokens of messages: their JSON in UTF-8, four bytes a token; 1,600 for a picture; the base64 of a PDF, 40 bytes a
 * token. Off by a quarter either way is usual. Found once per message object.
 */
export function estimateTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0)
}

/** Estimates the tokens of what stands before the messages of a request. */
export function estimatePrefix(system: readonly TextBlock[], tools: readonly ToolDefinition[]): number {
  return toTokens(JSON.stringify(system)) + toTokens(JSON.stringify(tools))
}

function estimateMessage(message: Message): number {
  const known = estimates.get(message)
  if (known !== undefined) return known
  const tokens = estimateContent(message.content)
  estimates.set(message, tokens)
  return tokens
}

function estimateContent(content: string | readonly SizedBlock[]): number {
  if (typeof content === 'string') return toTokens(content)
  return content.reduce((sum, block) => sum + estimateBlock(block), 0)
}

/** Estimates the tokens of one block. */
export function estimateBlock(block: SizedBlock): number {
  if (block.type === 'image') return imageTokens
  if (block.type === 'document' && block.source.type === 'base64') {
    return Math.ceil(block.source.data.length / pdfBytesPerToken)
  }
  if (block.type === 'tool_result' && Array.isArray(block.content)) return estimateContent(block.content)
  return toTokens(JSON.stringify(block))
}

function toTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}
