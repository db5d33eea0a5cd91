import type {
  CallView,
  HookVerdict,
  JsonObject,
  Tool,
  ToolResult,
  ToolResultBlock,
  ToolUseContext,
  UserMessage,
} from '@x/contract'
import type { Call } from './call.ts'
import type { CallController } from './controllers.ts'
import type { Rules } from './rules.ts'
import type { Cause, Clock, ExecutorOptions, ToolResultEvent } from './types.ts'

/** What the pipeline of one call knows; each step reads and adds. */
export interface Run {
  readonly call: Call
  readonly tool: Tool
  readonly kit: Kit
  /** The call's own controller, and the context that carries it. */
  control: CallController
  context: ToolUseContext
  /** What `call()` gets. */
  input: unknown
  /** What hooks and permissions see: derived fields filled in. */
  view: JsonObject
  /** A hook or a permission answer replaced the input. */
  isReplaced: boolean
  verdict: HookVerdict | undefined
  hasEntered: boolean
  /** `call()` has settled: from here on an answer says that the call ran. */
  hasReturned: boolean
  durationMs: number
  /** What `call()` gave back; absent after a throw. */
  returned: ToolResult<unknown> | undefined
  /** What is told to the model, once it may be told. */
  result: ToolResultBlock | undefined
  isFailure: boolean
  readonly attached: UserMessage[]
  readonly notices: string[]
  stop: { readonly reason: string } | undefined
  /** How a call went that was answered before it ended; for the debug record. */
  lateEnd: string | undefined
}

/** Makes the context of the calls after this one. */
export type ContextModifier = (context: ToolUseContext) => ToolUseContext

/** One step of the pipeline; gives a promise only if there is something to wait for. */
export type Step = (run: Run) => Promise<void> | undefined | void

/** What the steps need from the executor around them. */
export interface Kit {
  readonly options: ExecutorOptions
  readonly rules: Rules
  readonly clock: Clock
  /** Asks the tool about the replaced input; it may concern siblings in another way now. */
  redeclare(run: Run): void
  /** Resolves as soon as it is known whether the message has one call alone; false if that call is answered before. */
  readonly hasOneCall: Promise<boolean>
  /** Judges a call with a replaced input again; waits until it may enter. */
  judge(run: Run): Promise<void> | undefined
  /** The call enters `call()`. */
  entered(run: Run): void
  progress(call: Call, data: unknown): void
  /** Moves the context on, if this call may. Throws what the modifier throws. */
  modify(run: Run, modifier: ContextModifier): void
  /** The call failed; may take its siblings with it. */
  failed(run: Run): void
  /** The call has its answer and nothing of it runs any more. */
  complete(call: Call, event: ToolResultEvent): void
  /** The pipeline is over, perhaps long after the answer. */
  ended(run: Run): void
  /** As `complete`, for the user's bare No: the query ends with it. */
  reject(run: Run, event: ToolResultEvent): void
}

/** What a run begins with. */
export interface RunStart {
  readonly call: Call
  readonly tool: Tool
  readonly kit: Kit
  readonly control: CallController
  readonly context: ToolUseContext
}

/** Makes the facts of a call that begins. */
export function createRun(start: RunStart): Run {
  const { parsed } = start.call
  return {
    ...start,
    input: parsed.ok ? parsed.value : undefined,
    view: {},
    isReplaced: false,
    verdict: undefined,
    hasEntered: false,
    hasReturned: false,
    durationMs: 0,
    returned: undefined,
    result: undefined,
    isFailure: false,
    attached: [],
    notices: [],
    stop: undefined,
    lateEnd: undefined,
  }
}

/** The call as hooks and permissions see it. */
export function viewOf(run: Run): CallView {
  return {
    tool: run.tool,
    toolUseId: run.call.id,
    input: run.view,
    context: run.context,
    signal: run.control.controller.signal,
  }
}

/** Makes the event that carries the call's answer, with all that its hooks had to say until now. */
export function resultEvent(run: Run, cause: Cause, result: ToolResultBlock): ToolResultEvent {
  return {
    type: 'tool-result',
    toolUseId: run.call.id,
    cause,
    result,
    attached: run.attached,
    notices: run.notices,
    ...(run.stop !== undefined && { stop: run.stop }),
  }
}
