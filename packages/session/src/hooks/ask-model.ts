import type { Model } from '@x/contract'
import type { HooksOptions } from '@x/hooks'

type AskModel = NonNullable<HooksOptions['askModel']>

/** What the model is told besides the question. */
const instructions =
  'You judge one event of an agent session for a hook. Answer with one JSON object and nothing else: {"ok": true}, or {"ok": false, "reason": "why"}. If what is asked for can never be met, add "impossible": true.'

/** Longest answer that is read. In tokens. */
const maxOutputTokens = 1_024

/** Puts the question of a prompt hook to a small model, in a request of its own. */
export function createAskModel(model: Model, resolveName: (name: string | undefined) => string): AskModel {
  return async ({ prompt, model: name, signal }) => {
    const events = model.stream({
      model: resolveName(name),
      system: [{ type: 'text', text: instructions }],
      tools: [],
      messages: [{ role: 'user', content: [{ type: 'text', text: prompt.toWellFormed() }] }],
      maxOutputTokens,
      signal,
    })
    const texts: string[] = []
    for await (const event of events) {
      if (event.type === 'block-end' && event.block.type === 'text' && 'text' in event.block)
        texts.push(event.block.text)
    }
    return texts.join('\n')
  }
}
