import type { JsonObject, ToolResultBlock } from '@x/contract'
import { type CancelCause, isUsersDoing } from './causes.ts'
import { cutHead } from './text.ts'

const MAX_NAME_CHARS = 200
const MAX_ARGUMENT_CHARS = 100

/** An error result with this text. */
export function errorResult(toolUseId: string, text: string): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: toolUseId, content: text, is_error: true }
}

/** Marks a text as the framework's: the tool itself did not say it. */
export function wrapError(text: string): string {
  return `<tool_use_error>${text}</tool_use_error>`
}

/** The answer to a name that no tool has. */
export function unknownToolText(name: unknown): string {
  return wrapError(`No such tool available: ${cutHead(String(name), MAX_NAME_CHARS)}`)
}

/** Added to input errors of a tool whose schema the model has not seen. */
export function missingSchemaText(name: string): string {
  return `The schema of ${name} has not been sent to you yet. Load it with ToolSearch first, then call the tool again.`
}

/** Says which sibling's failure took the call with it. */
export function siblingText(name: string, input: unknown): string {
  const description = describeCall(name, input)
  const subject = description === undefined ? 'a parallel call' : `parallel tool call ${description}`
  return wrapError(`Cancelled: ${subject} errored`)
}

/** What a cancelled call is answered with. */
export interface CancelFacts {
  readonly cause: CancelCause
  /** `call()` was entered, so there may be effects. */
  readonly hasEntered: boolean
  readonly rejectionHint?: string | undefined
}

/** Says why a call was cancelled, and whether it had begun its work. */
export function cancelText({ cause, hasEntered, rejectionHint }: CancelFacts): string {
  const effects = hasEntered ? 'It was running and may have had effects.' : 'It did not run.'
  const hint = isUsersDoing(cause) && rejectionHint !== undefined ? ` ${rejectionHint}` : ''
  return `${reasons[cause]} ${effects}${hint}`
}

/** The user's No without a comment, where whoever asked has no words of its own. */
export const rejectedText =
  'The user does not want to proceed with this tool use: the tool was rejected and did not run. Wait for what the user says next.'

/** The call is done, but what it said must not be shown: the hooks that may change it were cut short. */
export const withheldText =
  'The call completed. Its output is withheld because the hooks that judge it were interrupted.'

/** Stands for a result with nothing in it; an empty one would not be valid. */
export function emptyText(name: string): string {
  return `(${name} completed with no output)`
}

const reasons: Readonly<Record<CancelCause, string>> = {
  'not-started': 'The message ended before this call could begin.',
  'streaming-fallback': 'The message that held this call was withdrawn and is requested again.',
  'sibling-failed': 'Cancelled: a parallel call errored.',
  'user-cancelled': 'The user does not want to proceed with this tool use: the tool was rejected.',
  'user-interrupted':
    'The user interrupted this tool use with a new message and does not want to proceed with it: the tool was rejected.',
  'permission-rejected':
    'The user does not want to proceed: another tool of this message was rejected, and this one with it.',
  'host-stopped': 'The session was stopped before this call was finished.',
}

/** `NAME(ARGUMENT)`, the argument being the first text of the input; nothing for a call that cannot be described. */
function describeCall(name: string, input: unknown): string | undefined {
  if (name === '') return undefined
  return `${cutHead(name, MAX_NAME_CHARS)}(${describeInput(input)})`
}

function describeInput(input: unknown): string {
  try {
    // Data of a parsed call; a text says most about it.
    const values = Object.values(input as JsonObject)
    const text = values.find((value) => typeof value === 'string') ?? JSON.stringify(input) ?? ''
    return text.length > MAX_ARGUMENT_CHARS ? `${cutHead(text, MAX_ARGUMENT_CHARS)}...` : text.toWellFormed()
  } catch {
    return ''
  }
}
