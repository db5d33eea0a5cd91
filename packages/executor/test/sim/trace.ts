import type { Cause, ToolResultEvent } from '../../src/index.ts'
import type { Blow, Flags, World } from './world.ts'

/** One thing that happened, in the order it happened. `call` is the arrival number. */
export type TraceEvent = { readonly tick: number; readonly atMs: number } & TraceFact

export type TraceFact =
  | Plain<'arrive' | 'begin' | 'ended' | 'progress' | 'late-progress' | 'abort-self' | 'fail'>
  | Seen<'pre' | 'authorize' | 'post' | 'enter'>
  | { readonly type: 'rewrite'; readonly call: number; readonly flags: Flags }
  | { readonly type: 'ret'; readonly call: number; readonly isFailure: boolean; readonly modifies: boolean }
  | { readonly type: 'answer'; readonly call: number; readonly cause: Cause }
  | { readonly type: 'yield'; readonly call: number; readonly event: ToolResultEvent }
  | { readonly type: 'blow'; readonly kind: Blow['kind']; readonly hasEffects: boolean }
  | { readonly type: 'discarded'; readonly results: readonly ToolResultEvent[] }
  | { readonly type: 'tick'; readonly timers: number }
  | Bare<'query-aborted' | 'drained' | 'settled' | 'released' | 'give-up'>

// One member for each name, so that a name picks its member.
type Plain<Type extends string> = Type extends string ? { readonly type: Type; readonly call: number } : never
type Bare<Type extends string> = Type extends string ? { readonly type: Type } : never
type Seen<Type extends string> = Type extends string
  ? { readonly type: Type; readonly call: number; readonly cwd: string; readonly isAborted: boolean }
  : never

/** A finished run, as the checker sees it. */
export interface Trace {
  readonly world: World
  readonly events: readonly TraceEvent[]
  readonly listenersBefore: number
  readonly listenersAfter: number
  readonly picks: number
  readonly cwd: string
}
