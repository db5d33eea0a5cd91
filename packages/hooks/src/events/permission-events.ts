import { z } from 'zod'
import { anyHandler, defineEvent, flag, object, text } from './event.ts'

const call = {
  tool_name: z.string(),
  tool_input: object,
  mcp_server: z.looseObject({ name: z.string(), source: text }).optional(),
}
const decision = z.union([
  z.looseObject({
    behavior: z.literal('allow'),
    updatedInput: object.optional(),
    updatedPermissions: z.array(object).optional(),
  }),
  z.looseObject({ behavior: z.literal('deny'), message: text, interrupt: flag }),
])

/** A permission is about to be asked for. */
export const PermissionRequest = defineEvent({
  matcher: 'tool_name',
  handlers: ['command', 'http', 'mcp_tool', 'prompt'],
  exitTwo: 'ignore',
  audience: 'model',
  takesIf: true,
  tellsMode: true,
  input: { ...call, permission_suggestions: z.array(object).optional() },
  output: { decision: decision.optional() },
})

/** The automatic mode refused a call. */
export const PermissionDenied = defineEvent({
  matcher: 'tool_name',
  handlers: anyHandler,
  exitTwo: 'ignore',
  takesIf: true,
  tellsMode: true,
  input: { ...call, tool_use_id: z.string(), reason: z.string() },
  output: { retry: flag },
})
