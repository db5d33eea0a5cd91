import {
  type ControlHost,
  type ControlResponse,
  createControlRouter,
  type Query,
  type UserInput,
} from '@x/session'
import { readJsonLines } from './json-lines.ts'

/** What standard input becomes in stream-json: the prompt of a session, and answers to control requests. */
export interface StreamInput {
  readonly prompt: AsyncIterable<UserInput>
  /** Lets control requests reach the session; those that came before wait for it. */
  connect(query: Query, host: ControlHost, answer: (response: ControlResponse) => Promise<void>): void
  /** What was wrong with the input, if anything. */
  readonly problem: string | undefined
}

/**
 * Reads user messages and control records from a stream of JSON lines. A bad line ends the input and is kept as the problem.
 * Answers of the host go to `onResponse`, which also hears the end of the input: then it gets undefined.
 */
export function createStreamInput(
  source: AsyncIterable<Uint8Array>,
  onResponse: (record: unknown) => void,
): StreamInput {
  const connected = Promise.withResolvers<(request: unknown) => Promise<void>>()
  let problem: string | undefined

  async function* readPrompt(): AsyncGenerator<UserInput, void> {
    try {
      for await (const value of readJsonLines(source)) {
        const record = toRecord(value)
        if (record.type === 'user') yield record
        else if (record.type === 'control_request') void connected.promise.then((handle) => handle(value))
        else if (record.type === 'control_response') onResponse(value)
      }
    } catch (error) {
      problem = `Error: ${error instanceof Error ? error.message : String(error)}`
    } finally {
      onResponse(undefined)
    }
  }

  return {
    prompt: readPrompt(),
    connect(query, host, answer) {
      const route = createControlRouter(query, host)
      connected.resolve(async (request) => answer(await route(request)))
    },
    get problem() {
      return problem
    },
  }
}

type InputRecord = UserInput | { readonly type: 'control_request' | 'control_response' | 'other' }

/** Checks what a line must have to be acted on; types this program does not know are passed over. */
function toRecord(value: unknown): InputRecord {
  if (typeof value !== 'object' || value === null || !('type' in value)) {
    throw new SyntaxError(
      'a line on stdin has no type; expected {"type":"user","message":{"role":"user","content":...}}',
    )
  }
  if (value.type === 'control_request' || value.type === 'control_response') return { type: value.type }
  if (value.type !== 'user') return { type: 'other' }
  if (!isUserInput(value)) {
    throw new SyntaxError(
      'a user message on stdin needs message.role "user" and message.content as text or blocks',
    )
  }
  return value
}

function isUserInput(value: object): value is UserInput {
  if (!('message' in value) || typeof value.message !== 'object' || value.message === null) return false
  const { message } = value
  if (!('role' in message) || message.role !== 'user' || !('content' in message)) return false
  return (
    typeof message.content === 'string' || (Array.isArray(message.content) && message.content.every(isBlock))
  )
}

function isBlock(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
