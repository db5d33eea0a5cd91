import { z } from 'zod'
import { anyHandler, defineEvent, flag, object, text } from './event.ts'

const call = {
  tool_name: z.string(),
  tool_input: object,
  mcp_server: z.looseObject({ name: z.string(), source: text }).optional(),
}
const shared = { handlers: anyHandler, audience: 'model', tellsMode: true } as const

/** Before a call: hooks judge it and may rewrite its input. */
export const PreToolUse = defineEvent({
  ...shared,
  matcher: 'tool_name',
  exitTwo: 'block',
  takesDecision: true,
  takesIf: true,
  refusal: 'deny',
  input: { ...call, tool_use_id: z.string() },
  output: {
    permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
    permissionDecisionReason: text,
    updatedInput: object.optional(),
    additionalContext: text,
  },
})

/** After a call that succeeded. */
export const PostToolUse = defineEvent({
  ...shared,
  matcher: 'tool_name',
  exitTwo: 'block',
  takesDecision: true,
  takesIf: true,
  refusal: 'feedback',
  input: {
    ...call,
    tool_response: z.unknown(),
    tool_use_id: z.string(),
    duration_ms: z.number().optional(),
  },
  output: {
    additionalContext: text,
    updatedToolOutput: z.unknown().optional(),
    updatedMCPToolOutput: z.unknown().optional(),
    classifierContext: text,
  },
})

/** After a call that failed. */
export const PostToolUseFailure = defineEvent({
  ...shared,
  matcher: 'tool_name',
  exitTwo: 'block',
  takesDecision: true,
  takesIf: true,
  refusal: 'instruct',
  input: {
    ...call,
    tool_use_id: z.string(),
    error: z.string(),
    is_interrupt: flag,
    duration_ms: z.number().optional(),
  },
  output: { additionalContext: text },
})

/** After all calls of one turn. */
export const PostToolBatch = defineEvent({
  ...shared,
  exitTwo: 'block',
  takesDecision: true,
  refusal: 'end',
  input: { tool_calls: z.array(object) },
  output: { additionalContext: text },
})
