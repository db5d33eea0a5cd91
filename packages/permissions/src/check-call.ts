import type { DecisionReason, HookVerdict } from '@x/contract'
import type { Checker, Finding, Judgement, Question, RuleHit } from './checker.ts'
import { createChecker } from './create-checker.ts'
import { denialText, dontAskText } from './denial-texts.ts'
import { describeSource } from './describe-source.ts'
import { findDeniedRemoval } from './powershell-checker.ts'
import { toSuggestions } from './suggestions.ts'
import type { Verdict } from './verdict.ts'
import { warnOfLoss } from './warn-of-loss.ts'

/** One call with what surrounds it. */
export interface CallToCheck {
  /** The call. */
  readonly question: Question
  /** What the hooks want. */
  readonly hook: HookVerdict | undefined
  /** Whether the call is a question to the user itself. */
  readonly needsPerson: boolean
  /** Whether a hook's allow stands in for the answer of the user. */
  readonly hookAnswers: boolean
  /** Whether plan mode's limits are off, because the session may bypass permissions. */
  readonly isBypassAvailable: boolean
  /** Whether answers may be remembered. */
  readonly canRemember: boolean
}

/** Judges one call, in the documented order: hook's deny, deny rules, ask rules, safety, mode, allow rules, built-in. */
export function checkCall(call: CallToCheck): Verdict {
  const checker = createChecker(call.question)
  const verdict =
    checkForbidden(call, checker) ??
    checkAsking(call, checker) ??
    checkSafety(call, checker) ??
    checkMode(call, checker) ??
    checkAllowed(call, checker)
  return verdict.behavior === 'ask' ? settleAsk(verdict, call) : verdict
}

function checkForbidden({ question, hook }: CallToCheck, checker: Checker): Verdict | undefined {
  if (hook?.behavior === 'deny') {
    const detail = hook.reason ?? 'a hook refused it'
    return { behavior: 'deny', message: detail, reason: { type: 'hook', detail } }
  }
  const hit = checker.findForbidding('deny')
  if (hit) return { behavior: 'deny', message: denialText(question, hit), reason: reasonOf(hit, 'denies') }
  const removal = question.toolName === 'PowerShell' ? findDeniedRemoval(question) : undefined
  if (!removal) return undefined
  return { behavior: 'deny', message: `Permission denied: ${removal.detail}.`, reason: safety(removal) }
}

function checkAsking(call: CallToCheck, checker: Checker): Verdict | undefined {
  const { question, hook, needsPerson, hookAnswers } = call
  const hit = checker.findForbidding('ask')
  if (hit) return { behavior: 'ask', reason: reasonOf(hit, 'asks about') }
  if (needsPerson && !hookAnswers) {
    return {
      behavior: 'ask',
      needsPerson: true,
      reason: { type: 'tool', detail: `${question.toolName} is for the user to answer` },
    }
  }
  if (hook?.behavior !== 'ask') return undefined
  return {
    behavior: 'ask',
    reason: { type: 'hook', detail: hook.reason ?? 'a hook wants to be sure' },
  }
}

function checkSafety({ question, isBypassAvailable }: CallToCheck, checker: Checker): Verdict | undefined {
  const critical = checker.findCritical?.()
  if (critical && (question.toolName !== 'PowerShell' || !isBypassing(question, isBypassAvailable))) {
    return { behavior: 'ask', reason: safety(critical), isForClassifier: true }
  }
  if (isBypassing(question, isBypassAvailable)) return undefined
  const write = checker.findProtected?.()
  if (!write) return undefined
  const blocked = write.path === undefined ? {} : { blockedPath: write.path }
  return { behavior: 'ask', reason: safety(write), isForClassifier: true, open: [write], ...blocked }
}

/** In plan mode, too, where the session may bypass permissions. */
function isBypassing({ mode }: Question, isBypassAvailable: boolean): boolean {
  return mode === 'bypassPermissions' || (mode === 'plan' && isBypassAvailable)
}

function checkMode({ question, isBypassAvailable }: CallToCheck, checker: Checker): Verdict | undefined {
  if (isBypassing(question, isBypassAvailable)) {
    const doubt = checker.findDoubt?.()
    if (doubt !== undefined) return { behavior: 'ask', reason: { type: 'safety', detail: doubt } }
    return {
      behavior: 'allow',
      reason: { type: 'mode', detail: 'bypassPermissions allows everything that no rule stops' },
    }
  }
  if (question.mode !== 'plan' || !checker.changesSomething()) return undefined
  const detail = `plan mode asks about everything that may change something, and this ${question.toolName} call may`
  return { behavior: 'ask', reason: { type: 'mode', detail }, isForClassifier: true }
}

function checkAllowed({ hook, hookAnswers }: CallToCheck, checker: Checker): Verdict {
  const judgement = checker.judge()
  const doubt = checker.findDoubt?.()
  if (doubt !== undefined) return toAsk(judgement, doubt)
  if (judgement.isAllowed) return { behavior: 'allow', reason: allowedBy(judgement) }
  if ((hook?.behavior === 'allow' || hookAnswers) && judgement.isUnclear !== true) {
    return { behavior: 'allow', reason: { type: 'hook', detail: hook?.reason ?? 'a hook allowed it' } }
  }
  return toAsk(judgement)
}

function toAsk(judgement: Judgement, doubt?: string): Verdict {
  const open = judgement.isAllowed ? [] : judgement.open
  const [first] = open
  const detail = doubt ?? `no rule allows it: ${open.map((part) => part.detail).join('; ')}`
  const reason = { type: doubt === undefined ? ('mode' as const) : ('safety' as const), detail }
  return {
    behavior: 'ask',
    isForClassifier: true,
    open,
    reason: first?.part === undefined ? reason : { ...reason, part: first.part },
    ...(first?.path === undefined ? {} : { blockedPath: first.path }),
  }
}

function allowedBy(judgement: Extract<Judgement, { isAllowed: true }>): DecisionReason {
  const { by, detail, hit } = judgement
  return hit ? { ...reasonOf(hit, 'allows'), type: by } : { type: by, detail }
}

function reasonOf(hit: RuleHit, does: string): DecisionReason {
  const source = describeSource(hit.rule)
  const about = hit.part === undefined ? 'it' : `"${hit.part}"`
  return {
    type: 'rule',
    detail: `the rule ${hit.rule.text} (${source}) ${does} ${about}`,
    rule: hit.rule.text,
    source: hit.rule.layer ?? 'session',
    ...(hit.rule.file === undefined ? {} : { file: hit.rule.file }),
    ...(hit.part === undefined ? {} : { part: hit.part }),
  }
}

function safety({ detail, part }: Finding): DecisionReason {
  return { type: 'safety', detail, ...(part === undefined ? {} : { part }) }
}

/** What asking means in the mode, and what goes with the question. */
function settleAsk(verdict: Verdict, call: CallToCheck): Verdict {
  const { question } = call
  const { isForClassifier, ...rest } = verdict
  if (question.mode === 'dontAsk') {
    return { ...rest, behavior: 'deny', message: dontAskText(question, verdict.reason.detail) }
  }
  const warning = warnOfLoss(question)
  return {
    ...rest,
    suggestions: call.canRemember ? toSuggestions(verdict.open ?? []) : [],
    ...(question.mode === 'auto' && isForClassifier === true ? { isForClassifier } : {}),
    ...(warning === undefined ? {} : { warning }),
  }
}
