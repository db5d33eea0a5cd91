import { z } from 'zod'
import { callFields } from './call-fields.ts'
import { anyHandler, defineEvent, flag, object, text } from './event.ts'

const decision = z.union([
  z.looseObject({
    /** Tells the answers apart. */
    behavior: z.literal('allow'),
    /** Takes the place of the whole input. */
    updatedInput: object.optional(),
    /** Changes of rules and modes. */
    updatedPermissions: z.array(object).optional(),
  }),
  z.looseObject({
    /** Tells the answers apart. */
    behavior: z.literal('deny'),
    /** The text. */
    message: text,
    /** Ends the turn. */
    interrupt: flag,
  }),
])

/** A permission is about to be asked for. */
export const PermissionRequest = defineEvent({
  matcher: 'tool_name',
  handlers: ['command', 'http', 'mcp_tool', 'prompt'],
  exitTwo: 'ignore',
  audience: 'model',
  takesIf: true,
  tellsMode: true,
  input: {
    ...callFields,
    /** Changes of rules that would allow it. */
    permission_suggestions: z.array(object).optional(),
  },
  output: {
    /** The answer. */
    decision: decision.optional(),
  },
})

/** The automatic mode refused a call. */
export const PermissionDenied = defineEvent({
  matcher: 'tool_name',
  handlers: anyHandler,
  exitTwo: 'ignore',
  takesIf: true,
  tellsMode: true,
  input: {
    ...callFields,
    /** The id of the call. */
    tool_use_id: z.string(),
    /** Why. */
    reason: z.string(),
  },
  output: {
    /** Tells the model that it may try again. */
    retry: flag,
  },
})
