import { z } from 'zod'
import { callFields } from './call-fields.ts'
import { anyHandler, defineEvent, flag, object, text } from './event.ts'

const shared = { handlers: anyHandler, audience: 'model', tellsMode: true } as const

/** Before a call: hooks judge it and may rewrite its input. */
export const PreToolUse = defineEvent({
  ...shared,
  matcher: 'tool_name',
  exitTwo: 'block',
  takesDecision: true,
  takesIf: true,
  refusal: 'deny',
  input: {
    ...callFields,
    /** The id of the call. */
    tool_use_id: z.string(),
  },
  output: {
    /** What the hook wants. */
    permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
    /** Why. */
    permissionDecisionReason: text,
    /** Takes the place of the whole input. */
    updatedInput: object.optional(),
    /** Context for the model. */
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
    ...callFields,
    /** The tool's structured output. */
    tool_response: z.unknown(),
    /** The id of the call. */
    tool_use_id: z.string(),
    /** Milliseconds the call took, without questions and hooks. */
    duration_ms: z.number().optional(),
  },
  output: {
    /** Context for the model. */
    additionalContext: text,
    /** Takes the place of the tool's output. */
    updatedToolOutput: z.unknown().optional(),
    /** The same, older, for MCP tools. */
    updatedMCPToolOutput: z.unknown().optional(),
    /** A note for the classifier of the automatic mode. */
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
    ...callFields,
    /** The id of the call. */
    tool_use_id: z.string(),
    /** What went wrong. */
    error: z.string(),
    /** Whether the user interrupted it. */
    is_interrupt: flag,
    /** Milliseconds the call took, without questions and hooks. */
    duration_ms: z.number().optional(),
  },
  output: {
    /** Context for the model. */
    additionalContext: text,
  },
})

/** After all calls of one turn. */
export const PostToolBatch = defineEvent({
  ...shared,
  exitTwo: 'block',
  takesDecision: true,
  refusal: 'end',
  input: {
    /** All calls of the turn, each with name, input, id and result. */
    tool_calls: z.array(object),
  },
  output: {
    /** Context for the model. */
    additionalContext: text,
  },
})
