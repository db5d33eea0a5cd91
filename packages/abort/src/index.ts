export {
  type AbortFacts,
  type AbortKind,
  AbortReason,
  type AbortReasonOptions,
  abortReasonOf,
  isAbortReason,
  TimeoutReason,
} from './abort-reason.ts'
export { type AnySignal, anySignal } from './any-signal.ts'
export {
  type AbortControllerOptions,
  createAbortController,
  createChildAbortController,
} from './create-abort-controller.ts'
export type { DisposableAbortController } from './linked-controller.ts'
export { raceAbort } from './race-abort.ts'
export { createTimeoutAbortController, type TimeoutAbortControllerOptions } from './timeout-controller.ts'
