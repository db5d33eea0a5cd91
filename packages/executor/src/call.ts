import type { AssistantMessage, CallDeclarations, Tool, ToolUseBlock } from '@x/contract'
import type { ParsedInput } from './parse-input.ts'
import type { Run } from './run.ts'

/** One tool call, from its arrival until its result was handed out. Calls are told apart by identity, never by id. */
export interface Call {
  /** Place among the calls of the message. */
  readonly order: number
  readonly id: string
  readonly block: ToolUseBlock
  readonly parentMessage: AssistantMessage
  readonly tool: Tool | undefined
  /** The input as the model gave it, parsed; with the tool's derived defaults. */
  readonly parsed: ParsedInput
  /** What the tool says about the input as it is known now. */
  declared: CallDeclarations
  state: 'queued' | 'executing' | 'completed' | 'yielded'
  /** Nothing of it runs any more, or it had its grace. */
  hasEnded: boolean
  /** Nobody runs beside it. */
  isExclusive: boolean
  /** Lets a call whose input was replaced go on; set while it waits. */
  goOn: (() => void) | undefined
  /** The pipeline's facts; from the beginning until the result was handed out. */
  run: Run | undefined
  /** It has its one answer. */
  isAnswered: boolean
}
