import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import type { JsonObject } from '@x/contract'
import { isRecord } from './is-record.ts'

/**
 * Takes what a server sent for a message of the protocol; `undefined` when it is none. An answer whose content has no valid shape becomes
 * an error answer: whoever waits for it must not wait for ever.
 */
export function readMessage(value: unknown): JSONRPCMessage | undefined {
  if (!isRecord(value) || value['jsonrpc'] !== '2.0') return undefined
  if (typeof value['method'] === 'string') return isParams(value['params']) ? asMessage(value) : undefined
  const { id, result, error } = value
  if (typeof id !== 'string' && !Number.isInteger(id)) return undefined
  if (isRecord(result)) return asMessage({ jsonrpc: '2.0', id, result })
  if (isError(error)) return asMessage({ jsonrpc: '2.0', id, error })
  return asMessage({ jsonrpc: '2.0', id, error: { code: -32603, message: describeAnswer(error) } })
}

function isParams(params: unknown): boolean {
  return params === undefined || isRecord(params)
}

function isError(error: unknown): boolean {
  return isRecord(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string'
}

function describeAnswer(error: unknown): string {
  const message = isRecord(error) ? error['message'] : error
  return typeof message === 'string' && message !== '' ? message : 'the answer has no valid result'
}

/** The one edge where checked data becomes the SDK's type; the SDK parses it again. */
function asMessage(value: JsonObject): JSONRPCMessage {
  return value as unknown as JSONRPCMessage
}
