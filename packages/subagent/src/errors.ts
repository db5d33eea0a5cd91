/** What kept an agent from starting, or a message from arriving. */
export type AgentErrorCode =
  | 'unknown-type'
  | 'zero-tools'
  | 'depth-limit'
  | 'fork-limit'
  | 'concurrency-limit'
  | 'agent-limit'
  | 'budget-limit'
  | 'no-isolation'
  | 'no-background'
  | 'unknown-agent'
  | 'not-resumable'
  | 'name-taken-over'
  | 'inbox-full'
  | 'closed'

const brand: unique symbol = Symbol.for('@x/subagent.AgentError')

/** Says why an agent did not start or was not reached. The message is for the model: what is wrong and what to do. */
export class AgentError extends Error {
  /** Always `AgentError`. */
  override readonly name = 'AgentError'
  /** What it was. */
  readonly code: AgentErrorCode

  constructor(code: AgentErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.code = code
    Object.defineProperty(this, brand, { value: true })
  }
}

/** Whether a value is an `AgentError`, also one of another installed copy of this package. */
export function isAgentError(value: unknown): value is AgentError {
  return typeof value === 'object' && value !== null && Reflect.get(value, brand) === true
}
