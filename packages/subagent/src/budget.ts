/** What may be spent; what is left out has no limit. */
export interface BudgetLimits {
  /** Tokens of all requests and answers together, cached ones included. */
  readonly maxTokens?: number
  /** US dollars. */
  readonly maxCostUsd?: number
  /** Tool calls. */
  readonly maxCalls?: number
  /** Milliseconds from the making of the budget. */
  readonly maxMs?: number
}

/** What was spent. */
export interface Spending {
  /** Tokens. */
  readonly tokens: number
  /** US dollars. */
  readonly costUsd: number
  /** Tool calls. */
  readonly calls: number
}

/** What may be spent. What is spent from one is spent from every budget above it too, by whatever route the money went. */
export interface Budget {
  /** What was spent from it and from those below it. */
  readonly spent: Spending
  /** Takes something out; may go below zero. */
  spend(amount: Partial<Spending>): void
  /** What is used up, here or above, in words; undefined while there is something left of everything. */
  exhausted(): string | undefined
  /** Milliseconds until its time or that of a budget above is up; Infinity without such a limit. */
  remainingMs(): number
}

/** How a budget is made. */
export interface BudgetOptions {
  /** The budget it draws from. @default none */
  readonly parent?: Budget
  /** Now, in milliseconds. @default performance.now */
  readonly now?: () => number
}

/**
 * Makes a budget, as a rule below another one.
 *
 * @throws RangeError if a limit is not greater than 0.
 *
 * @example
 * const root = createBudget({ maxTokens: 1_000 })
 * createBudget({}, { parent: root }).spend({ tokens: 1_000 })
 * root.exhausted() // 'the budget of 1000 tokens is spent'
 */
export function createBudget(limits: BudgetLimits = {}, options: BudgetOptions = {}): Budget {
  const { parent, now = () => performance.now() } = options
  for (const [name, limit] of Object.entries(limits)) assertPositive(name, limit)
  const { maxTokens = Infinity, maxCostUsd = Infinity, maxCalls = Infinity, maxMs = Infinity } = limits
  const startedAt = now()
  let spent: Spending = { tokens: 0, costUsd: 0, calls: 0 }

  function ownExhausted(): string | undefined {
    if (spent.tokens >= maxTokens) return `the budget of ${maxTokens} tokens is spent`
    if (spent.costUsd >= maxCostUsd) return `the budget of $${maxCostUsd} is spent`
    if (spent.calls >= maxCalls) return `the budget of ${maxCalls} tool calls is spent`
    if (now() - startedAt >= maxMs) return `the time of ${maxMs} ms is over`
    return undefined
  }

  return {
    get spent() {
      return spent
    },
    spend(amount) {
      spent = add(spent, amount)
      parent?.spend(amount)
    },
    exhausted: () => ownExhausted() ?? parent?.exhausted(),
    remainingMs: () => Math.min(Math.max(0, startedAt + maxMs - now()), parent?.remainingMs() ?? Infinity),
  }
}

function add(spent: Spending, { tokens = 0, costUsd = 0, calls = 0 }: Partial<Spending>): Spending {
  return {
    tokens: spent.tokens + tokens,
    costUsd: spent.costUsd + costUsd,
    calls: spent.calls + calls,
  }
}

function assertPositive(name: string, limit: number | undefined): void {
  if (limit === undefined || limit > 0) return
  throw new RangeError(`${name} must be greater than 0, but is ${limit}`)
}
