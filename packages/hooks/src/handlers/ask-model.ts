import { z } from 'zod'
import { flag, text } from '../events/event.ts'
import { type HookEventName, specOf } from '../events/table.ts'
import type { AgentHandler, PromptHandler } from '../handler-config.ts'
import type { HookAnswer } from '../hook-answer.ts'
import type { HooksOptions } from '../hooks-options.ts'
import { parseObject } from '../parse-stdout.ts'
import type { RawRun } from '../raw-run.ts'
import { toShownText } from '../shown-text.ts'
import { describeIssues } from '../zod-text.ts'

/** One question of a handler. */
export interface QuestionRun {
  /** The handler. */
  readonly handler: PromptHandler | AgentHandler
  /** The event. */
  readonly event: HookEventName
  /** What the hook is told, as JSON. */
  readonly json: string
  /** Who is asked. */
  readonly options: HooksOptions
  /** Cancels it. */
  readonly signal: AbortSignal
}

const reply = z.looseObject({ ok: z.boolean(), reason: text, impossible: flag })

/** Asks a model or an agent for yes or no; what a no does depends on the event. */
export async function askModel({ handler, event, json, options, signal }: QuestionRun): Promise<RawRun> {
  const ask = handler.type === 'prompt' ? options.askModel : options.askAgent
  if (ask === undefined) {
    return { kind: 'failed', message: `nobody here can be asked by handlers of the type ${handler.type}` }
  }
  const { model } = handler
  const prompt = fillArguments(handler.prompt, json)
  const stdout = await ask({ prompt, event, signal, ...(model !== undefined && { model }) })
  const parsed = reply.safeParse(parseReply(stdout))
  if (!parsed.success) {
    return {
      kind: 'failed',
      message: `the reply is not valid: ${describeIssues(parsed.error.issues)}`,
      stdout,
    }
  }
  const { ok, reason, impossible } = parsed.data
  if (ok) return { kind: 'answered', answer: { fields: {} }, stdout }
  if (reason === undefined || reason.trim() === '') {
    return { kind: 'failed', message: 'the reply says no and gives no reason', stdout }
  }
  const isImpossible = impossible === true && handler.type === 'prompt'
  const goesOn = handler.type === 'agent' || handler.continueOnBlock === true
  return { kind: 'answered', stdout, answer: refuse(event, toShownText(reason), { isImpossible, goesOn }) }
}

const fence = '```'

/** Models like to put JSON into a fence. */
function parseReply(text: string): unknown {
  const reply = text.trim()
  const isFenced = reply.startsWith(fence) && reply.endsWith(fence) && reply.length >= 2 * fence.length
  return parseObject(isFenced ? reply.slice(fence.length, -fence.length).replace(/^json/, '') : reply)
}

function fillArguments(prompt: string, json: string): string {
  const marked = /(\\?)\$ARGUMENTS/g
  let isFilled = false
  const filled = prompt.replace(marked, (_, escape: string) => {
    if (escape !== '') return '$ARGUMENTS'
    isFilled = true
    return json
  })
  return isFilled ? filled : `${filled}\n\n${json}`
}

interface Refusal {
  readonly isImpossible: boolean
  readonly goesOn: boolean
}

function refuse(event: HookEventName, reason: string, { isImpossible, goesOn }: Refusal): HookAnswer {
  const ends: HookAnswer = { fields: {}, stop: reason }
  const blocks: HookAnswer = { fields: {}, verdict: 'block', reason }
  const { refusal } = specOf(event)
  if (refusal === undefined) return { fields: {} }
  switch (refusal) {
    case 'deny':
      return { ...(goesOn ? blocks : ends), verdict: 'deny', reason }
    case 'feedback':
    case 'idle':
      return goesOn ? blocks : ends
    case 'instruct':
      return isImpossible ? { fields: {}, systemMessage: reason } : blocks
    case 'end':
      return { ...blocks, ...ends }
  }
}
