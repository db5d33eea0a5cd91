import {
  type AssistantMessage,
  type CallDeclarations,
  declareCall,
  type Tool,
  type ToolUseBlock,
} from '@x/contract'
import { missingSchemaText } from './answers.ts'
import type { Call } from './call.ts'
import { type ParsedInput, parseInput, refuseInput } from './parse-input.ts'

/** What arrived. */
export interface Arrival {
  readonly block: ToolUseBlock
  readonly parentMessage: AssistantMessage
  readonly tool: Tool | undefined
  /** Why the input is no JSON, where it is none. */
  readonly inputError: string | undefined
  readonly isSchemaMissing: ((toolName: string) => boolean) | undefined
}

/** Makes a call of what arrived: its input parsed, its declarations asked for. Never throws. */
export function takeIn(order: number, arrival: Arrival): Call {
  const { block, parentMessage, tool } = arrival
  const parsed = tool === undefined ? unparsed : parse(tool, arrival)
  return {
    order,
    id: block.id,
    block,
    parentMessage,
    tool,
    parsed,
    declared: tool === undefined ? closed : declare(tool, parsed),
    state: 'queued',
    hasEnded: false,
    isExclusive: false,
    goOn: undefined,
    run: undefined,
    isAnswered: false,
  }
}

function parse(tool: Tool, { block, inputError, isSchemaMissing }: Arrival): ParsedInput {
  const parsed = inputError === undefined ? parseInput(tool, block.input) : refuseInput(tool, inputError)
  if (parsed.ok || !asks(isSchemaMissing, tool.name)) return parsed
  return { ...parsed, message: `${parsed.message}\n${missingSchemaText(tool.name)}` }
}

/** An input that did not parse says nothing about the call; only how the tool takes an interruption does not hang on it. */
function declare(tool: Tool, parsed: ParsedInput): CallDeclarations {
  if (parsed.ok) return declareCall(tool, parsed.value)
  return { ...closed, interruptBehavior: declareCall(tool, undefined).interruptBehavior }
}

function asks(isSchemaMissing: Arrival['isSchemaMissing'], name: string): boolean {
  try {
    return isSchemaMissing?.(name) === true
  } catch {
    return false
  }
}

const unparsed: ParsedInput = { ok: false, message: '', unexpectedKeys: [] }

const closed: CallDeclarations = {
  isConcurrencySafe: false,
  isReadOnly: false,
  isDestructive: false,
  failureCancelsSiblings: false,
  interruptBehavior: 'block',
}
