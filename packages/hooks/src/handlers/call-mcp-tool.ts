import type { HookEventName } from '../events/table.ts'
import type { McpToolHandler } from '../handler-config.ts'
import type { HooksOptions } from '../hooks-options.ts'
import type { RawRun } from '../raw-run.ts'

/** One call of a handler. */
export interface McpRun {
  /** The handler. */
  readonly handler: McpToolHandler
  /** The event. */
  readonly event: HookEventName
  /** What the hook is told. */
  readonly input: Readonly<Record<string, unknown>>
  /** Who calls. */
  readonly options: HooksOptions
  /** Cancels it. */
  readonly signal: AbortSignal
}

/** Calls a tool; its text is read like the output of a command that ended well. */
export async function callMcpTool({ handler, event, input, options, signal }: McpRun): Promise<RawRun> {
  if (options.callMcpTool === undefined) {
    return { kind: 'failed', message: 'nobody here can call MCP tools' }
  }
  const { server, tool } = handler
  const filled = fillFields(handler.input ?? {}, input)
  const { text, isError } = await options.callMcpTool({ server, tool, event, signal, input: filled })
  if (isError === true) return { kind: 'failed', message: text.trim() || 'the tool failed', stdout: text }
  return { kind: 'ended', exitCode: 0, stdout: text, stderr: '' }
}

type JsonRecord = Readonly<Record<string, unknown>>

function fillFields(value: JsonRecord, input: JsonRecord): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, fill(field, input)]))
}

function fill(value: unknown, input: JsonRecord): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{([\w.-]+)\}/g, (_, path: string) => toText(fieldAt(input, path)))
  }
  if (Array.isArray(value)) return value.map((one) => fill(one, input))
  return isObject(value) ? fillFields(value, input) : value
}

function fieldAt(input: JsonRecord, path: string): unknown {
  let value: unknown = input
  for (const key of path.split('.')) {
    value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }
  return value
}

function toText(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A list has fields, too: its items. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
