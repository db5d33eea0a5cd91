import { randomUUID } from 'node:crypto'
import type { Authorize, CallView, HookVerdict, JsonObject, PermissionDecision } from '@x/contract'
import { type CanUseToolCallback, isPermissionAnswer, type PermissionAnswer } from './can-use-tool.ts'
import { type ClassifierGate, type Classify, createClassifierGate } from './classifier-gate.ts'
import type { CheckContext, Permissions } from './create-permissions.ts'
import { nobodyText } from './denial-texts.ts'
import type { PermissionMode } from './mode.ts'
import type { PermissionUpdate } from './permission-update.ts'
import type { PermissionRule } from './rule.ts'
import type { Verdict } from './verdict.ts'

/** Who is asked where rules and mode do not decide. */
export interface AuthorizeOptions {
  /** Whom to ask; nobody to ask is a deny. Never called in `dontAsk` mode. @default nobody */
  readonly canUseTool?: CanUseToolCallback
  /** Asked first, also where nobody else can be: PermissionRequest hooks. Undefined leaves it to the others. @default none */
  readonly requestPermission?: (call: CallView, verdict: Verdict) => Promise<PermissionAnswer | undefined>
  /** Judges in place of the user in `auto` mode. @default none: the user is asked */
  readonly classify?: Classify
  /** Saves what an answer changes beyond this session. May be slow; a rejection is told to `onProblem`. @default nothing is saved */
  readonly remember?: (updates: readonly PermissionUpdate[]) => Promise<void>
  /** Rules that count for one call only: what the skill of its turn allows. @default none */
  readonly extraRules?: (call: CallView) => readonly PermissionRule[]
  /** The mode of a call, where it is not the session's: an agent has its own. @default the session's */
  readonly modeOf?: (call: CallView) => PermissionMode | undefined
  /** Hears what went wrong with an answer. Must not throw. @default nobody */
  readonly onProblem?: (message: string) => void
}

type Asked = CallView & { readonly hook?: HookVerdict }

/**
 * Makes the permission check of an executor. The order: rules and mode, PermissionRequest hooks, classifier, the user.
 * An input that an answer changed meets the rules again.
 */
export function toAuthorize(permissions: Permissions, options: AuthorizeOptions = {}): Authorize {
  const gate = options.classify === undefined ? undefined : createClassifierGate(options.classify)
  const desk = { permissions, options, gate }
  const authorize: Authorize = async (call) => decide(call, check(call, desk), desk)
  authorize.prepare = (call) => {
    if (gate === undefined || modeOf(call, desk) !== 'auto') return
    const verdict = check(call, desk)
    if (verdict.isForClassifier === true) gate.start(call, verdict)
  }
  return authorize
}

interface Desk {
  readonly permissions: Permissions
  readonly options: AuthorizeOptions
  readonly gate: ClassifierGate | undefined
}

function modeOf(call: CallView, { permissions, options }: Desk): PermissionMode {
  return options.modeOf?.(call) ?? permissions.mode
}

function check(call: Asked, desk: Desk, input: JsonObject = call.input): Verdict {
  const { permissions, options } = desk
  const { hook, context } = call
  const isDeferral = hook?.behavior === 'defer'
  // A hook's allow does not count where the check is mandatory.
  const counts =
    hook !== undefined && (hook.behavior !== 'allow' || context.flags?.isPermissionCheckMandatory !== true)
  const setting: CheckContext = {
    cwd: context.cwd,
    // Whoever puts a call off asks only whether it is forbidden: no mode makes a refusal of a question that is not asked yet.
    mode: isDeferral ? 'default' : modeOf(call, desk),
    extraRules: options.extraRules?.(call) ?? [],
    ...(counts ? { hook, hookChangedInput: hook.changedInput === true } : {}),
  }
  return permissions.check(call.tool, input, setting)
}

async function decide(call: Asked, verdict: Verdict, desk: Desk): Promise<PermissionDecision> {
  if (call.hook?.behavior === 'defer') return settleDeferral(call.hook, verdict)
  if (verdict.behavior === 'allow') return { behavior: 'allow', reason: verdict.reason }
  if (verdict.behavior === 'deny') return toDeny(verdict)
  const answer = (await fromHooks(call, verdict, desk)) ?? (await fromClassifier(call, verdict, desk))
  return answer ?? fromUser(call, verdict, desk)
}

/** What is forbidden anyway is not put off. */
function settleDeferral({ reason }: HookVerdict, verdict: Verdict): PermissionDecision {
  if (verdict.behavior === 'deny') return toDeny(verdict)
  const detail = reason ?? 'a hook puts it off'
  return { behavior: 'deny', isDeferral: true, message: detail, reason: { type: 'hook', detail } }
}

function toDeny({ message, reason }: Verdict): PermissionDecision {
  return { behavior: 'deny', message: message ?? `Permission denied: ${reason.detail}.`, reason }
}

async function fromHooks(call: Asked, verdict: Verdict, desk: Desk): Promise<PermissionDecision | undefined> {
  const { requestPermission, onProblem } = desk.options
  if (requestPermission === undefined || call.tool.requiresUserInteraction === true) return undefined
  try {
    const answer = await requestPermission(call, verdict)
    if (answer === undefined) return undefined
    const decision = await settle(answer, { call, desk, type: 'hook' })
    // What a hook made of the input may be what the user wants to be asked about.
    const asksAgain =
      decision.behavior === 'allow' &&
      decision.updatedInput &&
      isAskRule(check(call, desk, decision.updatedInput))
    return asksAgain ? undefined : decision
  } catch (error) {
    onProblem?.(`a PermissionRequest hook failed: ${messageOf(error)}`)
    return undefined
  }
}

function isAskRule({ behavior, reason }: Verdict): boolean {
  return behavior === 'ask' && reason.type === 'rule'
}

async function fromClassifier(
  call: Asked,
  verdict: Verdict,
  desk: Desk,
): Promise<PermissionDecision | undefined> {
  const { gate } = desk
  if (gate === undefined || verdict.isForClassifier !== true) return undefined
  const answer = await gate.judge(call, verdict)
  // A judgement that comes after the mode was switched does not count.
  if (answer === undefined || modeOf(call, desk) !== 'auto') return undefined
  if (answer === 'allow')
    return { behavior: 'allow', reason: { type: 'mode', detail: 'the classifier of auto mode allows it' } }
  const detail = `Blocked by classifier: ${verdict.reason.detail}`
  return { behavior: 'deny', message: detail, reason: { type: 'mode', detail } }
}

async function fromUser(call: Asked, verdict: Verdict, desk: Desk): Promise<PermissionDecision> {
  const { canUseTool } = desk.options
  const { tool, input, context, signal, toolUseId } = call
  // The mode may have been switched while somebody was asked.
  if (canUseTool === undefined || modeOf(call, desk) === 'dontAsk') return denyUnasked(call, verdict)
  try {
    const answer: unknown = await canUseTool(tool.name, input, {
      signal,
      toolUseID: toolUseId,
      requestId: randomUUID(),
      decisionReason: verdict.reason.detail,
      suggestions: (verdict.suggestions ?? []).map(({ update }) => update),
      verdict,
      ...(verdict.blockedPath === undefined ? {} : { blockedPath: verdict.blockedPath }),
      ...(context.agent === undefined ? {} : { agentID: context.agent.id }),
    })
    if (answer === null) return denyUnasked(call, verdict)
    if (!isPermissionAnswer(answer))
      throw new TypeError("it must answer { behavior: 'allow' } or { behavior: 'deny', message }")
    return await settle(answer, { call, desk, type: 'user' })
  } catch (error) {
    const detail = `the permission callback failed: ${messageOf(error)}`
    return {
      behavior: 'deny',
      message: `Permission denied: ${detail}.`,
      reason: { type: 'nobody-to-ask', detail },
    }
  }
}

interface Answered {
  readonly call: Asked
  readonly desk: Desk
  readonly type: 'hook' | 'user'
}

async function settle(answer: PermissionAnswer, answered: Answered): Promise<PermissionDecision> {
  if (answer.updatedPermissions !== undefined) await keep(answer.updatedPermissions, answered.desk)
  return answer.behavior === 'deny' ? settleDeny(answer, answered) : settleAllow(answer, answered)
}

function settleDeny(
  { message = '', interrupt }: Extract<PermissionAnswer, { behavior: 'deny' }>,
  { call, type }: Answered,
): PermissionDecision {
  return {
    behavior: 'deny',
    message: message.trim() === '' ? `The user does not want to use ${call.tool.name} now.` : message,
    // A subagent goes on: what it was refused is no end of the main conversation.
    interrupt: interrupt === true && call.context.agent === undefined,
    reason: { type, detail: `denied ${who[type]}` },
  }
}

const who = { user: 'when asked', hook: 'by a PermissionRequest hook' } as const

function settleAllow(
  { updatedInput, feedback, content }: Extract<PermissionAnswer, { behavior: 'allow' }>,
  { call, desk, type }: Answered,
): PermissionDecision {
  const judged = updatedInput === undefined ? undefined : check(call, desk, updatedInput)
  if (judged?.behavior === 'deny') return toDeny(judged)
  return {
    behavior: 'allow',
    reason: { type, detail: `allowed ${who[type]}` },
    ...(updatedInput === undefined ? {} : { updatedInput }),
    ...(feedback === undefined ? {} : { feedback }),
    ...(content === undefined ? {} : { content }),
  }
}

async function keep(updates: readonly PermissionUpdate[], { permissions, options }: Desk): Promise<void> {
  permissions.update(updates)
  const lasting = updates.filter(({ destination }) => destination !== 'session' && destination !== 'cliArg')
  if (lasting.length === 0) return
  try {
    await options.remember?.(lasting)
  } catch (error) {
    options.onProblem?.(`the answer could not be saved: ${messageOf(error)}`)
  }
}

/** Says what was refused and how the user could allow it, so that the model can pass it on. */
function denyUnasked({ tool }: CallView, { reason, suggestions = [] }: Verdict): PermissionDecision {
  const rules = suggestions.flatMap(({ update, text }) =>
    update.type === 'addRules' ? [JSON.stringify(text)] : [],
  )
  const modes = suggestions.flatMap(({ update }) =>
    update.type === 'setMode' ? [`--permission-mode ${update.mode}`] : [],
  )
  // All of the rules are needed, but only one of the modes.
  const remedies = rules.length > 0 ? [`--allowedTools ${rules.join(' ')}`, ...modes] : modes
  return {
    behavior: 'deny',
    message: nobodyText(tool.name, reason.detail, remedies),
    reason: { ...reason, type: 'nobody-to-ask' },
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
