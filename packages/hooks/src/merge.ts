import { withoutUndefined } from '@x/contract'
import { type HookEventName, specOf } from './events/table.ts'
import { type HookAnswer, strictest } from './hook-answer.ts'
import type { HandlerReport, HookResult, HookRewrite } from './hook-result.ts'

/** What one handler came to, in its place. */
export interface HandlerEnd {
  /** What became of it. */
  readonly report: HandlerReport
  /** What it said. */
  readonly answer: HookAnswer
}

/** What there was before the hooks. */
export interface Before {
  /** The event. */
  readonly event: HookEventName
  /** What the hooks were told. */
  readonly input: Readonly<Record<string, unknown>>
  /** What the user should know before anything else. */
  readonly warnings: readonly string[]
}

/** Puts the answers together in declared order; which handler finished first makes no difference. */
export function mergeEnds({ event, input, warnings }: Before, ends: readonly HandlerEnd[]): HookResult {
  const answers = ends.map(({ answer }) => answer)
  const outcome: HookResult['outcome'] = strictest(answers.map(({ verdict }) => verdict)) ?? 'none'
  const reasons = answers
    .filter(({ verdict }) => verdict === outcome)
    .map(({ reason }) => reason ?? defaultReason(event, outcome))
    .filter((reason) => reason !== undefined)
  const stop = answers.find((answer) => answer.stop !== undefined)?.stop
  const rewriters = ends.filter(({ answer }) => mayRewrite(answer))
  const isBlock = outcome === 'deny' || outcome === 'block'
  return withoutUndefined({
    event,
    outcome,
    reason: reasons.length === 0 ? undefined : reasons.join('\n'),
    feedback: isBlock && specOf(event).audience === 'model' ? reasons : [],
    context: present(answers.map(({ context }) => context)),
    systemMessages: present(answers.map(({ systemMessage }) => systemMessage)),
    errors: [...warnings, ...present(ends.map(({ report }) => report.error))],
    stop: stop === undefined ? undefined : { reason: stop },
    updatedInput: isBlock ? undefined : inputOf(event, rewriters),
    updatedOutput: ends.findLast(({ answer }) => answer.updatedOutput)?.answer.updatedOutput,
    rewrites: toRewrites(input, ends),
    fields: mergeFields(answers),
    terminalSequences: present(answers.map(({ terminalSequence }) => terminalSequence)),
    handlers: ends.map(({ report }) => report),
    isCancelled: ends.some(({ report }) => report.outcome === 'cancelled'),
  })
}

function defaultReason(event: HookEventName, outcome: string): string | undefined {
  return outcome === 'deny' || outcome === 'block' ? `A ${event} hook blocked this.` : undefined
}

/** Of rewritten inputs the last one declared counts, of approvals of a request the first. */
function inputOf(event: HookEventName, rewriters: readonly HandlerEnd[]): Fields | undefined {
  const inputs = rewriters.map(({ answer }) => answer.updatedInput).filter((input) => input !== undefined)
  return event === 'PermissionRequest' ? inputs[0] : inputs.at(-1)
}

/** Who denies or defers a call does not rewrite it. */
function mayRewrite({ verdict }: HookAnswer): boolean {
  return verdict === undefined || verdict === 'allow' || verdict === 'ask'
}

function toRewrites(input: Readonly<Record<string, unknown>>, ends: readonly HandlerEnd[]): HookRewrite[] {
  const rewrites: HookRewrite[] = []
  const current = { input: input['tool_input'], output: input['tool_response'] }
  const note = (by: string, target: 'input' | 'output', updated: unknown): void => {
    rewrites.push({ by, target, original: current[target], updated })
    current[target] = updated
  }
  for (const { report, answer } of ends) {
    if (answer.updatedInput !== undefined && mayRewrite(answer))
      note(report.label, 'input', answer.updatedInput)
    if (answer.updatedOutput !== undefined) note(report.label, 'output', answer.updatedOutput.value)
  }
  return rewrites
}

type Fields = Readonly<Record<string, unknown>>

function mergeFields(answers: readonly HookAnswer[]): Fields {
  const merged: Record<string, unknown> = {}
  // A note for the classifier belongs to the output beside it, and goes with it when another output counts.
  const lastOutput = answers.findLast(({ updatedOutput }) => updatedOutput)
  for (const answer of answers) {
    for (const [key, value] of Object.entries(answer.fields)) {
      const isLost = key === 'classifierContext' && answer.updatedOutput && answer !== lastOutput
      if (isLost !== true) merged[key] = mergeField(key, merged[key], value)
    }
  }
  if (merged['action'] === 'decline' || merged['action'] === 'cancel') delete merged['content']
  return merged
}

const firstCounts = ['worktreePath']
const severity = ['accept', 'decline', 'cancel']

function mergeField(key: string, before: unknown, value: unknown): unknown {
  if (before === undefined) return value
  if (Array.isArray(before) && Array.isArray(value)) return [...new Set([...before, ...value])]
  if (firstCounts.includes(key)) return before
  if (typeof before === 'string' && typeof value === 'string') return mergeTexts(key, before, value)
  return key === 'decision' ? mergeRequests(before, value) : value
}

function mergeTexts(key: string, before: string, value: string): string {
  if (key === 'classifierContext') return `${before}\n${value}`
  if (key === 'action') return severity.indexOf(before) > severity.indexOf(value) ? before : value
  return value
}

/** Of several answers to one request the first refusal counts; approvals bring their updates together. */
function mergeRequests(before: unknown, value: unknown): unknown {
  if (!isRequest(before) || !isRequest(value)) return before
  if (before.behavior === 'deny') return before
  if (value.behavior === 'deny') return value
  const updates = [...(before.updatedPermissions ?? []), ...(value.updatedPermissions ?? [])]
  const updatedInput = before.updatedInput ?? value.updatedInput
  return withoutUndefined({
    ...before,
    updatedInput,
    updatedPermissions: updates.length === 0 ? undefined : updates,
  })
}

interface Request {
  readonly behavior: string
  readonly updatedInput?: unknown
  readonly updatedPermissions?: readonly unknown[]
}

function isRequest(value: unknown): value is Request {
  return typeof value === 'object' && value !== null && 'behavior' in value
}

function present(texts: readonly (string | undefined)[]): readonly string[] {
  return texts.filter((text) => text !== undefined)
}
