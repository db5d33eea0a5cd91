import type { Meter } from '@x/loop'
import type { Budget } from '@x/subagent'

/** What may be spent for a prompt, as agents see it. The meter counts what everybody spends by itself, so nothing is taken out here. */
export function promptBudget(
  { maxBudgetUsd = Infinity }: { readonly maxBudgetUsd?: number },
  meter: () => Meter,
): Budget {
  return {
    get spent() {
      const { usage, costUsd } = meter()
      const tokens =
        usage.input_tokens +
        usage.output_tokens +
        (usage.cache_creation_input_tokens ?? 0) +
        (usage.cache_read_input_tokens ?? 0)
      return { tokens, costUsd, calls: 0 }
    },
    spend() {},
    exhausted: () =>
      meter().costUsd >= maxBudgetUsd ? `the budget of $${maxBudgetUsd} is spent` : undefined,
    remainingMs: () => Infinity,
  }
}
