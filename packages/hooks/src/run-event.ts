import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RegisteredCallback } from './callback-hook.ts'
import { withDeadline } from './deadline.ts'
import { labelOf } from './describe-handler.ts'
import type { HandlerType } from './events/event.ts'
import { type HookAnswer, readAnswer } from './hook-answer.ts'
import type { HandlerReport, LateHookResult } from './hook-result.ts'
import type { HooksOptions } from './hooks-options.ts'
import { type JudgedHandler, type Judgement, judge } from './judge.ts'
import { limitText, MAX_TEXT } from './limit-text.ts'
import type { HandlerEnd } from './merge.ts'
import { describeError, type RawRun } from './raw-run.ts'
import type { ConfiguredHook } from './read-hooks.ts'
import { type Dispatch, runHandler } from './run-handler.ts'
import { subjectOf } from './select-hooks.ts'
import { toShownText } from './shown-text.ts'
import { signQuestion } from './sign-question.ts'

/** What a report says of a handler before it runs. */
type Described = Pick<HandlerReport, 'id' | 'name' | 'label' | 'type' | 'origin'>

/** Runs a handler of a configuration and judges it. */
export async function runConfigured(
  dispatch: Dispatch,
  { hook, timeoutMs }: { readonly hook: ConfiguredHook; readonly timeoutMs: number },
): Promise<HandlerEnd> {
  const described = describe(dispatch, {
    label: labelOf(hook.handler),
    type: hook.handler.type,
    origin: hook.origin,
  })
  const startedAt = performance.now()
  const judged = toJudged(dispatch, hook, described)
  const conclude = (raw: RawRun, when: Pick<JudgedHandler, 'isLate'> = {}): Promise<HandlerEnd> => {
    const judgement = judge({ ...judged, ...when }, raw)
    const answer = signQuestion(judgement.answer, hook)
    return toEnd(dispatch, described, { raw, startedAt, judgement: { ...judgement, answer } })
  }
  announce(dispatch, described, hook.handler.statusMessage)
  if (hook.matches === undefined) return conclude(unreadMatcher(hook))
  const onLate = async (raw: RawRun): Promise<void> => {
    const late = await toLate(dispatch, hook, await conclude(raw, { isLate: true }))
    announceEnd(dispatch, late.report)
    tell(() => dispatch.options.onLate?.(late))
  }
  const end = await conclude(await runHandler({ dispatch, hook, timeoutMs, onLate }))
  if (end.report.outcome !== 'background') announceEnd(dispatch, end.report)
  return end
}

/** Calls a callback and judges what it gives back. */
export async function runCallback(
  dispatch: Dispatch,
  { callback, timeoutMs }: { readonly callback: RegisteredCallback; readonly timeoutMs: number },
): Promise<HandlerEnd> {
  const { event, input, signal } = dispatch
  const described = describe(dispatch, { label: callback.label, type: 'callback', origin: 'session' })
  const startedAt = performance.now()
  announce(dispatch, described, undefined)
  const work = async (signal: AbortSignal): Promise<RawRun> => {
    const value = await callback.call(structuredClone(input), { event, signal })
    if (value === undefined || value === null) return { kind: 'answered', answer: { fields: {} }, stdout: '' }
    if (typeof value !== 'object')
      return { kind: 'failed', message: `gave back ${typeof value}, not an object` }
    const read = readAnswer(event, Object.fromEntries(Object.entries(value)))
    return read.ok
      ? { kind: 'answered', answer: read.answer, stdout: '' }
      : { kind: 'failed', message: `gave an answer that is not valid: ${read.message}` }
  }
  const raw = await withDeadline(work, { signal, timeoutMs })
  const judged: JudgedHandler = {
    ...described,
    event,
    input,
    words: () => [],
    cwd: dispatch.cwd,
    isOfPlugin: false,
    blocksOnFailure: false,
  }
  const end = await toEnd(dispatch, described, { raw, startedAt, judgement: judge(judged, raw) })
  announceEnd(dispatch, end.report)
  return end
}

/** The event, and what the matcher looks at, as messages name it. */
export function nameOf(occasion: Pick<Dispatch, 'event' | 'input'>): string {
  const subject = subjectOf(occasion)
  return subject === '' ? occasion.event : `${occasion.event}:${subject}`
}

interface Subject {
  readonly label: string
  readonly type: HandlerType | 'callback'
  readonly origin: string
}

function describe(dispatch: Dispatch, { label, type, origin }: Subject): Described {
  return { id: randomUUID(), name: nameOf(dispatch), label, type, origin }
}

function announce(
  { options, event }: Dispatch,
  { id, name, label }: Described,
  statusMessage: string | undefined,
): void {
  const status = statusMessage === undefined ? {} : { statusMessage }
  tell(() => options.onProgress?.({ type: 'hook-start', id, name, event, label, ...status }))
}

function announceEnd({ options, event }: Dispatch, report: HandlerReport): void {
  tell(() => options.onProgress?.({ type: 'hook-end', event, report }))
}

/** A listener that throws is a fault of the host; it must not change what hooks come to. */
function tell(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    process.emitWarning(`A listener of hooks threw: ${describeError(error)}`)
  }
}

function toJudged(dispatch: Dispatch, hook: ConfiguredHook, described: Described): JudgedHandler {
  const { handler, plugin } = hook
  const fill = (word: string): string =>
    word
      .replace(/\$\{?CLAUDE_PROJECT_DIR\}?/g, dispatch.options.projectDir ?? process.cwd())
      .replace(/\$\{?CLAUDE_PLUGIN_ROOT\}?/g, plugin?.root ?? '')
  return {
    ...described,
    event: dispatch.event,
    input: dispatch.input,
    words: () => (handler.type === 'command' ? [handler.command, ...(handler.args ?? [])].map(fill) : []),
    cwd: dispatch.cwd,
    isOfPlugin: plugin !== undefined,
    blocksOnFailure: hook.matches === undefined || handler['onFailure'] === 'block',
  }
}

function unreadMatcher({ matcher, path }: ConfiguredHook): RawRun {
  return {
    kind: 'failed',
    message: `the matcher "${matcher}" (${path}) is no regular expression, so nobody can tell whether it is meant`,
  }
}

interface Conclusion {
  readonly raw: RawRun
  readonly startedAt: number
  readonly judgement: Judgement
}

async function toEnd(dispatch: Dispatch, described: Described, conclusion: Conclusion): Promise<HandlerEnd> {
  const { raw, startedAt, judgement } = conclusion
  const { outcome, answer, error } = judgement
  const report: HandlerReport = {
    ...described,
    outcome,
    ...(raw.kind === 'ended' && described.type === 'command' && { exitCode: raw.exitCode }),
    stdout: 'stdout' in raw ? (raw.stdout ?? '') : '',
    stderr: 'stderr' in raw ? (raw.stderr ?? '') : '',
    durationMs: performance.now() - startedAt,
    ...(error !== undefined && { error: await limit(error, dispatch.options) }),
  }
  return { report, answer: await limitAnswer(answer, dispatch.options) }
}

const limited = ['context', 'systemMessage', 'reason'] as const

async function limitAnswer(answer: HookAnswer, options: HooksOptions): Promise<HookAnswer> {
  if (limited.every((key) => (answer[key]?.length ?? 0) <= MAX_TEXT)) return answer
  const texts: [string, string][] = []
  for (const key of limited) {
    const text = answer[key]
    if (text !== undefined) texts.push([key, await limit(text, options)])
  }
  return { ...answer, ...Object.fromEntries(texts) }
}

function limit(
  text: string,
  { overflowFolder = join(tmpdir(), 'hook-output') }: HooksOptions,
): Promise<string> {
  return limitText(text, overflowFolder)
}

async function toLate(
  { event, options }: Dispatch,
  { handler }: ConfiguredHook,
  end: HandlerEnd,
): Promise<LateHookResult> {
  const { context, systemMessage } = end.answer
  const wakes = handler.type === 'command' && handler.asyncRewake === true && end.report.exitCode === 2
  return {
    event,
    report: end.report,
    context: context === undefined ? [] : [context],
    systemMessages: systemMessage === undefined ? [] : [systemMessage],
    ...(wakes && { wake: await toWake(handler, end.report, options) }),
  }
}

async function toWake(
  { rewakeMessage, rewakeSummary }: ConfiguredHook['handler'],
  { stdout, stderr }: HandlerReport,
  options: HooksOptions,
): Promise<{ text: string; summary?: string }> {
  const text = await limit(toShownText(stderr.trim() || stdout.trim() || 'No output'), options)
  return {
    text: typeof rewakeMessage === 'string' ? `${rewakeMessage}\n${text}` : text,
    ...(typeof rewakeSummary === 'string' && { summary: rewakeSummary }),
  }
}
