import { TimeoutReason } from '@x/abort'
import { z } from 'zod'
import { McpError, type McpErrorCode, messageOf } from './errors.ts'
import { isRecord } from './is-record.ts'
import type { Link } from './link.ts'

/** Whose error it is. */
export interface ErrorPlace {
  /** The server's name in the configuration. */
  readonly server: string
  /** The way to it. */
  readonly link: Link
}

/** Makes of what a request threw an error that says which server it was and what became of it. */
export function toMcpError(error: unknown, { server, link }: ErrorPlace): McpError {
  const code = codeOf(error, link)
  return new McpError(code, `MCP server ${server} ${describe(code, error, link)}`, { server, cause: error })
}

/** The same for a start; the message goes beside the name of the server. */
export function toStartError(error: unknown, { server, link }: ErrorPlace): McpError {
  const code = codeOf(error, link)
  const facts = { server, cause: error }
  if (code === 'server-ended') return new McpError('start-failed', describeEnd(error, link), facts)
  const isOther = code !== 'needs-auth' && code !== 'timed-out'
  return new McpError(isOther ? 'start-failed' : code, describe(code, error, link), facts)
}

/** A start that took too long. */
export function toLateError(startMs: number, { server, link }: ErrorPlace): McpError {
  const words = link.describe()
  const message = `did not finish its start within ${startMs / 1000} s${words === '' ? '' : `: ${words}`}`
  return new McpError('timed-out', message, { server })
}

function codeOf(error: unknown, link: Link): McpErrorCode {
  if (link.wantsLogin()) return 'needs-auth'
  if (error instanceof TimeoutReason) return 'timed-out'
  if (error instanceof z.ZodError) return 'invalid-answer'
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  // Errors of the protocol have numbers, those of the SDK names; all else is the network's or the system's.
  if (typeof code === 'number') return 'refused'
  if (code === 'REQUEST_TIMEOUT') return 'timed-out'
  return code === 'INVALID_RESULT' || code === 'UNSUPPORTED_RESULT_TYPE' ? 'invalid-answer' : 'server-ended'
}

function describe(code: McpErrorCode, error: unknown, link: Link): string {
  switch (code) {
    case 'needs-auth':
      return 'requires authentication'
    case 'timed-out':
      return `did not answer in time${limitOf(error)}`
    case 'refused':
      return `answered with an error: ${shorten(messageOf(error))}`
    case 'invalid-answer':
      return 'gave an answer of no known shape'
    default:
      return `is gone: ${describeEnd(error, link)}`
  }
}

const MAX_WORDS_CHARS = 4000

/** What a server says may be of any length. */
function shorten(words: string): string {
  return words.length > MAX_WORDS_CHARS ? `${words.slice(0, MAX_WORDS_CHARS).toWellFormed()}...` : words
}

/** `fetch failed` says nothing; its cause does. */
function describeEnd(error: unknown, link: Link): string {
  const known = shorten(link.describe())
  if (known !== '') return known
  const cause = error instanceof Error ? error.cause : undefined
  const message = messageOf(error).slice(0, 500)
  return cause instanceof Error ? `${message} (${cause.message.slice(0, 500)})` : message
}

function limitOf(error: unknown): string {
  if (error instanceof TimeoutReason) return ` (${error.facts.timeoutMs} ms)`
  const data = error instanceof Error && 'data' in error ? error.data : undefined
  const limit = isRecord(data) ? (data['timeout'] ?? data['maxTotalTimeout']) : undefined
  return typeof limit === 'number' ? ` (${limit / 1000} s)` : ''
}
