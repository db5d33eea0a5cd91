import { assertLimits } from '@x/loop'
import { resolveModelName } from '@x/model-anthropic'
import { toReminder } from './reminder.ts'
import type { Session } from './session.ts'

/** How long the service keeps a prompt in its cache. In milliseconds. */
const cacheLifeMs = 5 * 60_000

/**
 * Lets another model answer from the next query on; undefined: the session's first one.
 *
 * @throws RangeError if it has no price while there is a budget in money.
 * @throws Error where a PreModelSwitch hook refuses.
 */
export async function switchModel(session: Session, wanted: string | undefined): Promise<void> {
  const { setup } = session
  const { hooks, controller } = setup
  const modelName = wanted === undefined ? setup.model : resolveModelName(wanted, setup.env)
  assertLimits({ ...setup, modelName })
  if (modelName === session.model) return
  const change = describeSwitch(session, modelName, wanted)
  const before = await hooks.run('PreModelSwitch', change, controller.signal)
  // Who was not heard may have wanted to refuse.
  controller.signal.throwIfAborted()
  // Nobody can be asked here, so that a wish to ask is a refusal.
  if (before !== undefined && ['block', 'deny', 'ask'].includes(before.outcome))
    throw new Error(before.reason ?? `A PreModelSwitch hook refused the switch to ${modelName}`)
  session.model = modelName
  const after = await hooks.run('PostModelSwitch', change, controller.signal)
  for (const text of after?.context ?? []) hooks.leave(toReminder(`PostModelSwitch hook: ${text}`))
}

function describeSwitch(
  { setup, model, contextTokens, answeredAt }: Session,
  next: string,
  wanted: string | undefined,
) {
  const price = setup.prices[next]
  return {
    from_model: model,
    to_model: next,
    requested_model: wanted ?? null,
    source: 'sdk',
    context_tokens: contextTokens,
    prompt_cache_warm: answeredAt !== undefined && Date.now() - answeredAt < cacheLifeMs,
    cache_ttl: '5m',
    estimated_cache_write_usd: ((price?.cacheWrite ?? 0) * contextTokens) / 1_000_000,
    pricing: setup.options.prices === undefined ? 'catalog' : 'configured',
  }
}
