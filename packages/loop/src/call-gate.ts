import type { AssistantMessage, HistoryLog, Message, ToolUseBlock } from '@x/contract'
import {
  createBatchToolExecutor,
  createStreamingToolExecutor,
  type ExecutorOptions,
  type StreamingToolExecutor,
} from '@x/executor'
import type { QueryState } from './state.ts'
import { cutInputText, turnLimitText } from './texts.ts'
import type { ExecutorSettings } from './types.ts'

/** The door between a message and its executor: when calls go through depends on the engine and on how the message ends. */
export interface CallGate {
  readonly executor: StreamingToolExecutor
  /** Takes a call in. One with a broken input waits until it is known whether the output limit broke it. */
  add(call: ToolUseBlock, message: AssistantMessage, inputError: string | undefined): void
  /** The block before was not the last one. */
  release(): void
  /** No further call will come: lets all through. Tells whether the output limit broke the input of the last. */
  close(options: { readonly isCutOff: boolean }): boolean
}

interface WaitingCall {
  readonly call: ToolUseBlock
  readonly message: AssistantMessage
  readonly inputError: string | undefined
}

/** Opens the door for one message, with an executor of its own. */
export function createCallGate(
  state: QueryState,
  turn: { readonly model: string; readonly request: readonly Message[]; readonly wake: () => void },
): CallGate {
  const { limits = {}, engine = 'streaming' } = state.options
  const createExecutor = engine === 'batch' ? createBatchToolExecutor : createStreamingToolExecutor
  const executor = createExecutor(executorOptions(state, turn))
  if (limits.maxTurns !== undefined && state.toolTurns >= limits.maxTurns) {
    executor.cancelQueued(turnLimitText(limits.maxTurns))
  }
  const waiting: WaitingCall[] = []

  function letThrough(): void {
    for (const { call, message, inputError } of waiting.splice(0)) {
      executor.addTool(call, message, inputError === undefined ? {} : { inputError })
    }
  }

  return {
    executor,
    add(call, message, inputError) {
      waiting.push({ call, message, inputError })
      if (inputError === undefined) letThrough()
    },
    release: letThrough,
    close({ isCutOff }) {
      const last = waiting.at(-1)
      const isBroken = isCutOff && last?.inputError !== undefined
      if (isBroken) waiting.splice(-1, 1, { ...last, inputError: cutInputText })
      letThrough()
      return isBroken
    },
  }
}

function executorOptions(
  { options, context, tools, settled }: QueryState,
  { model, request, wake }: Parameters<typeof createCallGate>[1],
): ExecutorOptions {
  const { authorize, controller, clock, history } = options
  return {
    ...pickSettings(options),
    ...(clock && { clock }),
    context: { ...context, messages: request, options: { ...context.options, tools, model } },
    query: controller,
    authorize,
    after: settled,
    ...(history.beforeCall && { beforeEffects: (id, message) => logBefore(history, id, message) }),
    onReady: wake,
  }
}

/** The message grows on while this is written: what is handed over are its blocks now. */
async function logBefore(history: HistoryLog, id: string, message: AssistantMessage): Promise<void> {
  const { content } = message
  await history.beforeCall?.(id, {
    ...message,
    content: typeof content === 'string' ? content : [...content],
  })
}

function pickSettings(options: ExecutorSettings): ExecutorSettings {
  const entries = settingNames.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]))
  return Object.fromEntries(entries)
}

const settingNames = [
  'hooks',
  'storeResult',
  'maxConcurrency',
  'siblingPolicy',
  'endGraceMs',
  'isSchemaMissing',
  'unlistedTools',
  'rejectionHint',
  'debug',
] as const satisfies readonly (keyof ExecutorSettings)[]
