import { createChildAbortController } from '@x/abort'
import type { Authorize, Model, Tool } from '@x/contract'
import type { BaseContext } from '@x/executor'
import type { HooksOptions } from '@x/hooks'
import { runQuery } from '@x/loop'

type AskAgent = NonNullable<HooksOptions['askAgent']>

/** What an agent of a hook is made of; asked for when one runs. */
export interface HookAgentParts {
  readonly model: Model
  readonly controller: AbortController
  readonly context: BaseContext
  /** The tools it may use; those that only look. */
  readonly tools: readonly Tool[]
  readonly authorize: Authorize
  readonly resolveName: (name: string | undefined) => string
}

const instructions =
  'You check one event of an agent session for a hook. Look at the project with your tools as far as you need to. End with one JSON object and nothing else: {"ok": true}, or {"ok": false, "reason": "why"}.'

/** Most turns with tools, as documented. */
const maxTurns = 50

/** Puts the question of an agent hook to a query of its own. Its calls meet the same rules, and no hooks: they would not end. */
export function createAskAgent(parts: () => HookAgentParts): AskAgent {
  return async ({ prompt, model: name, signal }) => {
    const { model, controller: session, context, tools, authorize, resolveName } = parts()
    using controller = createChildAbortController(session)
    const leave = (): void => controller.abort(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    try {
      const running = runQuery({
        model,
        modelName: resolveName(name),
        system: [{ type: 'text', text: instructions }],
        prompt: [{ role: 'user', content: prompt }],
        tools: () => tools,
        context: { ...context, agent: { id: 'hook', type: 'hook-agent' }, messages: [] },
        authorize,
        history: { append: async () => {} },
        controller,
        limits: { maxTurns },
      })
      let text = ''
      for await (const record of running) {
        if (record.type === 'result') text = record.result ?? (record.errors ?? []).join('\n')
      }
      signal.throwIfAborted()
      return text
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }
}
