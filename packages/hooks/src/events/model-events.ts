import { z } from 'zod'
import { defineEvent, plainHandlers, text } from './event.ts'

const change = {
  /** The model so far. */
  from_model: z.string(),
  /** The new model. */
  to_model: z.string(),
  /** What was asked for; null if nobody asked. */
  requested_model: z.string().nullable(),
  /** What it came from, or how. */
  source: z.string(),
  /** Tokens in the context. */
  context_tokens: z.number(),
  /** Whether the cache of the prompt holds. */
  prompt_cache_warm: z.boolean(),
  /** How long it holds: `5m` or `1h`. */
  cache_ttl: z.string(),
  /** What writing the cache would cost, in US dollars. */
  estimated_cache_write_usd: z.number(),
  /** Where the prices come from. */
  pricing: z.string(),
}
const shared = { matcher: 'to_model', handlers: plainHandlers, timeoutSeconds: 30, input: change } as const

/** The user asks for another model. */
export const PreModelSwitch = defineEvent({
  ...shared,
  exitTwo: 'block',
  takesDecision: true,
  timeoutBlocks: true,
  output: {
    /** What the hook wants. */
    permissionDecision: z.enum(['allow', 'deny', 'ask']).optional(),
    /** Why. */
    permissionDecisionReason: text,
  },
})

/** The model was changed. */
export const PostModelSwitch = defineEvent({
  ...shared,
  exitTwo: 'notice',
  plainText: 'context',
  output: {
    /** Context for the model. */
    additionalContext: text,
  },
})
