import type { Model, Usage } from '@x/contract'
import type { HooksOptions } from '@x/hooks'
import { resolveModelName } from '@x/model-anthropic'

type AskModel = NonNullable<HooksOptions['askModel']>

/** A question to a model outside of any conversation. */
export interface TextQuestion {
  /** What the model is told besides the question. */
  readonly system: string
  readonly prompt: string
  /** Longest answer that is read. In tokens. */
  readonly maxOutputTokens: number
  /** Ends the waiting: the answer rejects with its reason. */
  readonly signal: AbortSignal
}

/** Asks one question in a request of its own; gives the text of the answer. Nothing is tried again. */
export type AskText = (question: TextQuestion) => Promise<string>

/** What the model of a prompt hook is told besides the question. */
const instructions =
  'You judge one event of an agent session for a hook. Answer with one JSON object and nothing else: {"ok": true}, or {"ok": false, "reason": "why"}. If what is asked for can never be met, add "impossible": true.'

/** Longest answer to a hook. In tokens. */
const maxOutputTokens = 1_024

/** Puts the question of a prompt hook to a small model, in a request of its own. */
export function createAskModel(model: Model, resolveName: (name: string | undefined) => string): AskModel {
  return ({ prompt, model: name, signal }) =>
    createAskText(model, resolveName(name))({ system: instructions, prompt, maxOutputTokens, signal })
}

/** Makes the way to ask a model of this name. `count` is told what each request took, also one that broke off. */
export function createAskText(
  model: Model,
  name: string,
  count?: (name: string, usage: Usage) => void,
): AskText {
  return async ({ system, prompt, maxOutputTokens, signal }) => {
    const events = model.stream({
      model: name,
      system: [{ type: 'text', text: system }],
      tools: [],
      messages: [{ role: 'user', content: [{ type: 'text', text: prompt.toWellFormed() }] }],
      maxOutputTokens,
      signal,
    })
    const texts: string[] = []
    let usage: Usage | undefined
    try {
      for await (const event of events) {
        if ('usage' in event) usage = event.usage
        if (event.type === 'block-end' && event.block.type === 'text' && 'text' in event.block)
          texts.push(event.block.text)
      }
    } finally {
      if (usage !== undefined) count?.(name, usage)
    }
    return texts.join('\n')
  }
}

/** The name of the model for small questions: the one that is named, else `ANTHROPIC_SMALL_FAST_MODEL`, else `haiku`. */
export function smallModelName(env: Readonly<Record<string, string | undefined>>, name?: string): string {
  return resolveModelName(name ?? (env['ANTHROPIC_SMALL_FAST_MODEL'] || 'haiku'), env)
}
