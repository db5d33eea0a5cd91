import { z } from 'zod'
import { defineEvent, plainHandlers, text } from './event.ts'

const change = {
  from_model: z.string(),
  to_model: z.string(),
  requested_model: z.string().nullable(),
  source: z.string(),
  context_tokens: z.number(),
  prompt_cache_warm: z.boolean(),
  cache_ttl: z.string(),
  estimated_cache_write_usd: z.number(),
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
    permissionDecision: z.enum(['allow', 'deny', 'ask']).optional(),
    permissionDecisionReason: text,
  },
})

/** The model was changed. */
export const PostModelSwitch = defineEvent({
  ...shared,
  exitTwo: 'notice',
  plainText: 'context',
  output: { additionalContext: text },
})
