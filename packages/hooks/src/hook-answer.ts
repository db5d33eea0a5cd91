import { z } from 'zod'
import { type EventSpec, flag, text } from './events/event.ts'
import type { HookEventName, HookFields } from './events/table.ts'
import { specOf } from './events/table.ts'
import { toShownText } from './shown-text.ts'
import { describeIssues } from './zod-text.ts'

/** What a hook may print or a callback return, in either spelling. Fields inside `hookSpecificOutput` win. */
export type HookOutput<Event extends HookEventName = HookEventName> = Partial<HookFields<Event>> & {
  /** False ends the query after this. @default true */
  readonly continue?: boolean
  /** Why, for the user. */
  readonly stopReason?: string
  /** For the user. */
  readonly systemMessage?: string
  /** Accepted, without effect. */
  readonly suppressOutput?: boolean
  /** A notification or title for the terminal. */
  readonly terminalSequence?: string
  /** `block` stops what is about to happen. */
  readonly decision?: unknown
  /** Why. */
  readonly reason?: string
  /** The same fields once more, with the name of the event. */
  readonly hookSpecificOutput?: Partial<HookFields<Event>> & {
    /** The event. */
    readonly hookEventName: Event
  }
}

/** What hooks want done, from nothing to the strictest. */
export type HookVerdictName = 'allow' | 'ask' | 'defer' | 'deny' | 'block'

/** What one handler said. */
export interface HookAnswer {
  /** What it wants. */
  readonly verdict?: HookVerdictName
  /** Why. */
  readonly reason?: string
  /** Ends the query after this; the text is for the user. */
  readonly stop?: string
  /** For the model. */
  readonly context?: string
  /** For the user. */
  readonly systemMessage?: string
  /** For the terminal. */
  readonly terminalSequence?: string
  /** Takes the place of the tool's input. */
  readonly updatedInput?: Readonly<Record<string, unknown>>
  /** Takes the place of the tool's output. */
  readonly updatedOutput?: { readonly value: unknown }
  /** The other fields of the event. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** An answer, or what is wrong with it. */
export type ReadAnswer =
  | { readonly ok: true; readonly answer: HookAnswer }
  | { readonly ok: false; readonly message: string }

const decisions = z.enum(['approve', 'block'])
const universal = z.looseObject({
  continue: flag,
  stopReason: text,
  systemMessage: text,
  suppressOutput: flag,
  terminalSequence: text,
  decision: decisions.optional(),
  reason: text,
  hookSpecificOutput: z.looseObject({ hookEventName: z.string() }).optional(),
})

type Universal = z.output<typeof universal>

/** Whether an object says anything that this event listens to. */
export function saysSomething(event: HookEventName, value: object): boolean {
  const { shape } = specOf(event).output
  return Object.keys(value).some((key) => key in universal.shape || key in shape)
}

/** Checks an answer and brings both spellings into one form. */
export function readAnswer(event: HookEventName, value: Json): ReadAnswer {
  // The most usual answer.
  if (Object.keys(value).length === 0) return { ok: true, answer: { fields: {} } }
  const spec = specOf(event)
  const { own, rest } = takeOwnDecision(spec, value)
  const top = universal.safeParse(rest)
  if (!top.success) return { ok: false, message: describeIssues(top.error.issues) }
  const { hookSpecificOutput: specific = { hookEventName: event } } = top.data
  if (specific.hookEventName !== event) {
    const message = `hookSpecificOutput.hookEventName is ${specific.hookEventName}, the event is ${event}`
    return { ok: false, message }
  }
  const fields = spec.output.safeParse({ ...pick(rest, spec), ...own, ...pick(specific, spec) })
  if (!fields.success) return { ok: false, message: describeIssues(fields.error.issues) }
  return { ok: true, answer: toAnswer(event, top.data, fields.data) }
}

/** What counts of the answer of a hook that nobody waits for: its texts alone. One that is no text costs itself, not the others. */
export function readLateAnswer(event: HookEventName, value: Json): HookAnswer {
  const { universal: counts = 'all', output } = specOf(event)
  const { hookSpecificOutput: specific } = value
  const inner =
    typeof specific === 'object' && specific !== null ? new Map(Object.entries(specific)) : undefined
  const context = shown(inner?.get('additionalContext')) ?? shown(value['additionalContext'])
  return {
    fields: {},
    ...given('context', 'additionalContext' in output.shape ? context : undefined),
    ...given('systemMessage', counts === 'none' ? undefined : shown(value['systemMessage'])),
  }
}

type Json = Readonly<Record<string, unknown>>

/** `decision` of a permission request is an object and belongs to the fields of the event; elsewhere it is a word. */
function takeOwnDecision(spec: EventSpec, value: Json): { readonly own: Json; readonly rest: Json } {
  if (!('decision' in spec.output.shape)) return { own: {}, rest: value }
  const { decision, ...rest } = value
  return typeof decision === 'object' ? { own: { decision }, rest } : { own: {}, rest }
}

function pick(value: Readonly<Record<string, unknown>>, spec: EventSpec): Record<string, unknown> {
  const known = Object.entries(value).filter(
    ([key, field]) => field !== undefined && Object.hasOwn(spec.output.shape, key),
  )
  return Object.fromEntries(known)
}

/** Fields that have a place of their own in an answer. */
const placed = [
  'permissionDecision',
  'permissionDecisionReason',
  'updatedInput',
  'updatedToolOutput',
  'updatedMCPToolOutput',
  'additionalContext',
]

function toAnswer(
  event: HookEventName,
  top: Universal,
  fields: Readonly<Record<string, unknown>>,
): HookAnswer {
  const spec = specOf(event)
  const { verdict, reason, updatedInput, stop } = judge(event, top, fields)
  const { universal: counts = 'all' } = spec
  const ends = top.continue === false && counts === 'all'
  const rest = Object.entries(fields).filter(([key]) => !placed.includes(key))
  return {
    fields: Object.fromEntries(rest),
    ...given('verdict', verdict),
    ...given('reason', shown(reason)),
    ...given('stop', ends ? (shown(top.stopReason) ?? 'A hook ended the turn.') : stop),
    ...given('context', verdict === 'defer' ? undefined : shown(fields['additionalContext'])),
    ...given('systemMessage', counts === 'none' ? undefined : shown(top.systemMessage)),
    ...given('terminalSequence', readTerminalSequence(top.terminalSequence)),
    ...given('updatedInput', updatedInput),
    ...given('updatedOutput', outputOf(fields)),
  }
}

interface Judgement {
  readonly verdict?: HookVerdictName | undefined
  readonly reason?: string | undefined
  readonly updatedInput?: Readonly<Record<string, unknown>> | undefined
  readonly stop?: string | undefined
}

const permission = z.looseObject({
  permissionDecision: z.enum(['allow', 'ask', 'defer', 'deny']).optional(),
  permissionDecisionReason: text,
  updatedInput: z.record(z.string(), z.unknown()).optional(),
})

function judge(event: HookEventName, top: Universal, fields: Readonly<Record<string, unknown>>): Judgement {
  if (event === 'PermissionRequest') return judgeRequest(fields)
  const isBlock = top.decision === 'block' && specOf(event).takesDecision === true
  if (event !== 'PreToolUse' && event !== 'PreModelSwitch') {
    return isBlock ? { verdict: 'block', reason: top.reason } : {}
  }
  const { permissionDecision, permissionDecisionReason, updatedInput } = permission.parse(fields)
  const legacy = isBlock ? 'deny' : top.decision === 'approve' && event === 'PreToolUse' ? 'allow' : undefined
  return {
    verdict: strictest([permissionDecision, legacy]),
    reason: permissionDecisionReason ?? top.reason,
    updatedInput,
  }
}

const requestDecision = z.looseObject({
  decision: z
    .looseObject({
      behavior: z.enum(['allow', 'deny']),
      message: text,
      interrupt: flag,
      updatedInput: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
})

function judgeRequest(fields: Readonly<Record<string, unknown>>): Judgement {
  const { decision } = requestDecision.parse(fields)
  if (decision === undefined) return {}
  const { behavior, message, interrupt, updatedInput } = decision
  const stop = interrupt === true ? (message ?? 'A hook refused the call and ended the turn.') : undefined
  return { verdict: behavior, reason: message, updatedInput, stop }
}

const order: readonly HookVerdictName[] = ['allow', 'ask', 'defer', 'deny', 'block']

/** The strictest of some verdicts; `undefined` if there is none. */
export function strictest(verdicts: readonly (HookVerdictName | undefined)[]): HookVerdictName | undefined {
  return order.findLast((verdict) => verdicts.includes(verdict))
}

function outputOf(fields: Readonly<Record<string, unknown>>): { readonly value: unknown } | undefined {
  const key = ['updatedToolOutput', 'updatedMCPToolOutput'].find((name) => fields[name] !== undefined)
  return key === undefined ? undefined : { value: fields[key] }
}

/** Only titles, notifications and the bell; anything else in it voids the whole. */
function readTerminalSequence(sequence: string | undefined): string | undefined {
  if (sequence === undefined) return undefined
  // oxlint-disable-next-line no-control-regex -- these are control characters
  return /^(?:\x1b\](?:0|1|2|9|99|777);[^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\)|\x07)+$/.test(sequence)
    ? sequence
    : undefined
}

function shown(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? toShownText(value) : undefined
}

/** An object with the one field, or without it. */
function given<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [_ in Key]?: Value } {
  // The one edge: a computed key makes the type an index signature.
  return (value === undefined ? {} : { [key]: value }) as { readonly [_ in Key]?: Value }
}
