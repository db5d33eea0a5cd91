import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import type { EventSpec } from './events/event.ts'
import { type HookEventName, specOf } from './events/table.ts'
import {
  type HookAnswer,
  type HookVerdictName,
  readAnswer,
  readLateAnswer,
  saysSomething,
} from './hook-answer.ts'
import type { HandlerOutcome } from './hook-result.ts'
import { blamesMissingScript } from './missing-script.ts'
import { parseStdout } from './parse-stdout.ts'
import type { RawRun } from './raw-run.ts'
import { toShownText } from './shown-text.ts'

/** What is known of a handler when its work is judged. */
export interface JudgedHandler {
  /** The event. */
  readonly event: HookEventName
  /** What the hooks were told. */
  readonly input: Readonly<Record<string, unknown>>
  /** The event, and what the matcher looked at. */
  readonly name: string
  /** The command line, address or question. */
  readonly label: string
  /** Gives program and arguments, or the command line, to look for names of scripts. */
  readonly words: () => readonly string[]
  /** The folder it ran in. */
  readonly cwd: string
  /** What it is. */
  readonly type: string
  /** Whether a plugin brings it. */
  readonly isOfPlugin: boolean
  /** Whether `onFailure` says block. */
  readonly blocksOnFailure: boolean
  /** Whether nobody waited for it: no decision counts any more. @default false */
  readonly isLate?: boolean
}

/** What the work of a handler came to. */
export interface Judgement {
  /** How it ended. */
  readonly outcome: HandlerOutcome
  /** What counts of what it said. */
  readonly answer: HookAnswer
  /** What went wrong, for the user. */
  readonly error?: string
}

type Ended = Extract<RawRun, { kind: 'ended' }>

const nothing: HookAnswer = { fields: {} }

/** Judges how a handler ended and what it said, by the rules of the event. */
export function judge(handler: JudgedHandler, raw: RawRun): Judgement {
  const judgement = judgeRaw(handler, raw)
  const isPolicy = handler.event === 'ConfigChange' && handler.input['source'] === 'policy_settings'
  return isPolicy ? { ...judgement, answer: nothing } : judgement
}

function judgeRaw(handler: JudgedHandler, raw: RawRun): Judgement {
  switch (raw.kind) {
    case 'ended':
      return judgeEnded(handler, raw)
    case 'answered':
      return { outcome: outcomeOf(raw.answer), answer: raw.answer }
    case 'failed':
      return failure(handler, raw.message)
    case 'timed-out':
      return judgeTimeout(handler, raw.timeoutMs)
    case 'cancelled':
    case 'background':
      return { outcome: raw.kind, answer: nothing }
  }
}

function judgeEnded(handler: JudgedHandler, raw: Ended): Judgement {
  if (specOf(handler.event).plainText === 'path' && handler.type === 'command') return judgePath(handler, raw)
  // What the remover of a worktree prints is nobody's business.
  const said = handler.event === 'WorktreeRemove' ? {} : readOutput(handler, raw)
  if (raw.exitCode === 2 && !isMissingScript(handler, raw) && !isRemoved(handler))
    return judgeBlock(handler, raw, said)
  if (raw.exitCode === 0) return judgeSuccess(handler, raw, said)
  if (said.answer !== undefined && !handler.blocksOnFailure) {
    return { outcome: outcomeOf(said.answer), answer: said.answer }
  }
  return failure(
    handler,
    `failed with non-blocking status code ${raw.exitCode}: ${firstLine(raw.stderr)}`,
    raw.stderr,
  )
}

interface Said {
  /** A JSON answer that is in order. */
  readonly answer?: HookAnswer
  /** Text that is no answer. */
  readonly text?: string
  /** An answer that does not count, and why. */
  readonly problem?: string
}

function readOutput(handler: JudgedHandler, { stdout, isCut }: Ended): Said {
  const parsed = parseStdout(stdout, (value) => saysSomething(handler.event, value))
  if (isCut === true && parsed.kind !== 'json' && /^\s*(\{|$)/.test(stdout)) {
    return { problem: 'printed more than is read (10 MiB), so its answer does not count' }
  }
  switch (parsed.kind) {
    case 'empty':
      return {}
    case 'text':
      return { text: parsed.text, ...(parsed.hidesAnswer && { problem: hiddenAnswer }) }
    case 'broken':
      return { problem: parsed.message }
    case 'json':
      return readJson(handler, parsed.value)
  }
}

const hiddenAnswer =
  'printed other text before its JSON answer, so the answer does not count; print nothing else on stdout'

function readJson({ event, isLate }: JudgedHandler, value: Readonly<Record<string, unknown>>): Said {
  if (isLate === true) return { answer: readLateAnswer(event, value) }
  const read = readAnswer(event, value)
  return read.ok ? { answer: read.answer } : { problem: `gave an answer that is not valid: ${read.message}` }
}

function judgeSuccess(handler: JudgedHandler, raw: Ended, said: Said): Judgement {
  if (said.answer !== undefined) return { outcome: outcomeOf(said.answer), answer: said.answer }
  if (said.text === undefined) {
    return said.problem === undefined
      ? { outcome: 'success', answer: nothing }
      : failure(handler, said.problem, raw.stderr)
  }
  // Plain text of a request or an MCP tool is checked where it arrives.
  const isContext = specOf(handler.event).plainText === 'context'
  const answer = isContext ? { fields: {}, context: toShownText(said.text) } : nothing
  if (said.problem === undefined) return { outcome: 'success', answer }
  return { ...failure(handler, said.problem, raw.stderr), ...(!handler.blocksOnFailure && { answer }) }
}

function judgeBlock(handler: JudgedHandler, raw: Ended, { answer = nothing }: Said): Judgement {
  const { event, name, label } = handler
  const { exitTwo } = specOf(event)
  const text = toShownText(raw.stderr.trim()) || 'No stderr output'
  const long = `${name} hook error: [${label}]: ${text}`
  if (exitTwo === 'ignore') return { outcome: outcomeOf(answer), answer }
  if (exitTwo === 'notice') return { outcome: 'failed', answer, error: long }
  const own = outcomeOf(answer) === 'blocked' ? answer.reason : undefined
  const reason = own ?? (event === 'PreToolUse' ? long : text)
  const blocked = block(handler, reason, event.startsWith('Elicitation') ? nothing : answer)
  if (!brokenScript.test(text)) return blocked
  return {
    ...blocked,
    error: `${long} (it ended with status code 2, which blocks; perhaps the hook itself is broken)`,
  }
}

/** Shells and interpreters end with 2 when they cannot read their script: a block by accident. */
const brokenScript = /syntax error|-c: line \d+:|no such file|not found|can't open/i

function block({ event }: JudgedHandler, reason: string, answer: HookAnswer = nothing): Judgement {
  const { updatedInput: _, ...rest } = answer
  return { outcome: 'blocked', answer: { ...rest, verdict: blockOf(event), reason } }
}

function blockOf(event: HookEventName): HookVerdictName {
  return ['PreToolUse', 'PreModelSwitch', 'PermissionRequest'].includes(event) ? 'deny' : 'block'
}

function outcomeOf({ verdict }: HookAnswer): HandlerOutcome {
  return verdict === 'deny' || verdict === 'block' ? 'blocked' : 'success'
}

/** A failure is told. It blocks where the handler or the event says so and there is something to block. */
function failure(handler: JudgedHandler, message: string, stderr = ''): Judgement {
  const spec = specOf(handler.event)
  const error = `${handler.name} hook error: [${handler.label}]: ${toShownText(message)}`
  if (spec.failureBlocks === true && !isRemoved(handler)) return { ...block(handler, error), error }
  if (!blocksOnFailure(handler, spec)) return { outcome: 'failed', answer: nothing, error }
  const details = toShownText(stderr.trim() || message)
  const reason = `[${handler.label}]: failed; blocking because onFailure is "block": ${details}`
  return { ...block(handler, reason), error }
}

function blocksOnFailure({ event, blocksOnFailure }: JudgedHandler, spec: EventSpec): boolean {
  if (!blocksOnFailure || spec.canFailClosed === false) return false
  return spec.exitTwo === 'block' || event === 'PermissionRequest'
}

/** A worktree that is gone has been removed, whatever the hook says. */
function isRemoved({ event, input }: JudgedHandler): boolean {
  return event === 'WorktreeRemove' && !existsSync(String(input['worktree_path']))
}

function judgeTimeout(handler: JudgedHandler, timeoutMs: number): Judgement {
  const spec = specOf(handler.event)
  const seconds = Math.round(timeoutMs / 100) / 10
  const error = `${handler.name} hook error: [${handler.label}]: timed out after ${seconds} s; its output is dropped`
  if (blocksOnFailure(handler, spec)) {
    const reason = `[${handler.label}]: timed out; blocking because onFailure is "block"`
    return { ...block(handler, reason), outcome: 'timed-out', error }
  }
  if (spec.timeoutBlocks === true || spec.failureBlocks === true || isGuardingCallback(handler)) {
    return { ...block(handler, error), outcome: 'timed-out', error }
  }
  return { outcome: 'timed-out', answer: nothing, error }
}

/** A program that hooks in decides before something happens; its silence is no consent. */
function isGuardingCallback({ type, event }: JudgedHandler): boolean {
  return type === 'callback' && ['PreToolUse', 'UserPromptSubmit', 'UserPromptExpansion'].includes(event)
}

// oxlint-disable-next-line no-control-regex -- colours of a terminal
const ansi = /\x1b\[[0-9;?]*[A-Za-z]/g

function judgePath(handler: JudgedHandler, { exitCode, stdout, stderr }: Ended): Judgement {
  const { cwd } = handler
  if (exitCode !== 0)
    return failure(handler, `failed with status code ${exitCode}: ${firstLine(stderr)}`, stderr)
  const lines = stdout.replace(ansi, '').split('\n')
  const path = lines.findLast((line) => line.trim() !== '')?.trim()
  if (path === undefined) return failure(handler, 'printed no path', stderr)
  // An absolute one is not tidied up: whoever takes it refuses one that goes back up.
  const worktreePath = isAbsolute(path) ? path : resolve(cwd, path)
  return { outcome: 'success', answer: { fields: { worktreePath } } }
}

/** Interpreters end with 2 when their script is missing. Where that would go on for ever it is no block. */
function isMissingScript(handler: JudgedHandler, { stdout, stderr }: Ended): boolean {
  const { event, isOfPlugin, words, cwd } = handler
  const isGuarded =
    ['Stop', 'SubagentStop', 'TaskCompleted'].includes(event) || (isOfPlugin && event === 'UserPromptSubmit')
  return isGuarded && stdout.trim() === '' && blamesMissingScript(stderr, words(), cwd)
}

function firstLine(stderr: string): string {
  return toShownText(stderr.trim().split('\n', 1)[0] ?? '') || 'No stderr output'
}
