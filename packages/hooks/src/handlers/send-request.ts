import type { HttpHandler } from '../handler-config.ts'
import type { HooksOptions } from '../hooks-options.ts'
import { parseObject } from '../parse-stdout.ts'
import { describeError, type RawRun } from '../raw-run.ts'
import { matchesUrl } from './match-url.ts'

/** One request of a handler. */
export interface HttpRun {
  /** The handler. */
  readonly handler: HttpHandler
  /** What is posted. */
  readonly body: string
  /** Where variables come from, and what is allowed. */
  readonly options: HooksOptions
  /** Cancels it. */
  readonly signal: AbortSignal
}

const MAX_BODY = 10 * 1024 * 1024

/** Posts the input and takes a JSON object, or nothing, for an answer. A status alone never blocks. */
export async function sendRequest({ handler, body, options, signal }: HttpRun): Promise<RawRun> {
  const { fetch = globalThis.fetch, allowedHttpUrls } = options
  if (allowedHttpUrls !== undefined && !allowedHttpUrls.some((pattern) => matchesUrl(pattern, handler.url))) {
    return { kind: 'failed', message: 'the address is not among the allowed ones (allowedHttpHookUrls)' }
  }
  let response: Response
  try {
    response = await fetch(handler.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersOf(handler, options) },
      body,
      signal,
      redirect: 'manual',
    })
  } catch (error) {
    return { kind: 'failed', message: `the request failed: ${describeCause(error)}` }
  }
  const read = await readBody(response)
  if (!response.ok) {
    return {
      kind: 'failed',
      message: `the server answered with status ${response.status}`,
      stdout: read ?? '',
    }
  }
  if (read === undefined) return { kind: 'failed', message: 'the answer is longer than 10 MiB' }
  const text = read.trim()
  if (text !== '' && parseObject(text) === undefined) {
    return { kind: 'failed', message: 'the answer is no JSON object', stdout: text }
  }
  return { kind: 'ended', exitCode: 0, stdout: text, stderr: '' }
}

async function readBody(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > MAX_BODY) return undefined
  }
  return text + decoder.decode()
}

function headersOf(handler: HttpHandler, options: HooksOptions): Record<string, string> {
  const { env = process.env, allowedHttpEnvVars } = options
  const allowed = (handler.allowedEnvVars ?? []).filter((name) => allowedHttpEnvVars?.includes(name) ?? true)
  const fill = (value: string): string =>
    value.replace(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g, (_, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? ''
      return allowed.includes(name) ? (env[name] ?? '') : ''
    })
  return Object.fromEntries(
    // A line feed from a variable would begin another header.
    Object.entries(handler.headers ?? {}).map(([name, value]) => [name, fill(value).replace(/[\r\n]/g, '')]),
  )
}

function describeCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${describeError(error)}${cause}`
}
