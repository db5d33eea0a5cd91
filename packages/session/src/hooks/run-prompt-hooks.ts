import type { ContentBlock, ResultRecord, UserMessage } from '@x/contract'
import type { HookResult } from '@x/hooks'
import { blankResult, interruptedResult } from '../blank-result.ts'
import { toReminder } from '../reminder.ts'
import type { UserInput } from '../session-options.ts'
import { toUserMessage } from '../user-messages.ts'
import type { SessionHooks } from './session-hooks.ts'

/** What the hooks make of a prompt. */
export type Submitted = Accepted | { readonly type: 'refused'; readonly result: ResultRecord }

/** A prompt that may be answered. */
export interface Accepted {
  readonly type: 'accepted'
  /** What the person said. */
  readonly messages: readonly UserMessage[]
  /** What hooks add to it. */
  readonly context: readonly UserMessage[]
  readonly sessionTitle?: string | undefined
}

/** Runs the UserPromptSubmit hooks of a prompt: what the model is told, or the result that says why it is told nothing. */
export async function runPromptHooks(
  hooks: SessionHooks,
  inputs: readonly UserInput[],
  signal: AbortSignal,
): Promise<Submitted> {
  const messages = inputs.map(toUserMessage)
  const prompt = messages.map(textOf).join('\n')
  const result = await hooks.run('UserPromptSubmit', { prompt }, signal)
  if (result === undefined) return { type: 'accepted', messages, context: [] }
  // Who was not heard may have wanted to refuse: the model must not read it with the next prompt.
  if (signal.aborted) return { type: 'refused', result: interrupted }
  const { updatedPrompt, suppressOriginalPrompt, sessionTitle } = result.fields
  const reason = whyRefused(result)
  if (reason !== undefined)
    return { type: 'refused', result: refusal(reason, suppressOriginalPrompt === true ? undefined : prompt) }
  const context = result.context.map((text) => toReminder(`UserPromptSubmit hook: ${text}`))
  const own = updatedPrompt === undefined ? messages : [withText(messages, updatedPrompt)]
  return { type: 'accepted', messages: own, context, sessionTitle }
}

function whyRefused({ outcome, reason, stop }: HookResult): string | undefined {
  if (outcome !== 'block' && outcome !== 'deny' && stop === undefined) return undefined
  return reason ?? stop?.reason ?? 'A UserPromptSubmit hook stopped the prompt.'
}

const interrupted = interruptedResult(
  'Interrupted before the UserPromptSubmit hooks were heard; the prompt is not part of the conversation.',
)

function refusal(reason: string, prompt: string | undefined): ResultRecord {
  const original = prompt === undefined ? '' : `\n\nOriginal prompt: ${prompt}`
  return {
    ...blankResult,
    is_error: true,
    result: `The prompt was blocked by a UserPromptSubmit hook: ${reason}${original}`,
    terminal_reason: 'hook_stopped',
  }
}

function textOf({ content }: UserMessage): string {
  if (typeof content === 'string') return content
  return content.flatMap((block) => (isText(block) ? [block.text] : [])).join('\n')
}

/** Another text in place of all texts; pictures and documents stay. */
function withText(messages: readonly UserMessage[], text: string): UserMessage {
  const others = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter((block) => !isText(block)),
  )
  return { role: 'user', content: [...others, { type: 'text', text }] }
}

function isText(
  block: ContentBlock,
): block is ContentBlock & { readonly type: 'text'; readonly text: string } {
  return block.type === 'text' && 'text' in block && typeof block.text === 'string'
}
