import { z } from 'zod'
import { anyHandler, defineEvent, object, plainHandlers, text } from './event.ts'

const stopInput = {
  stop_hook_active: z.boolean(),
  last_assistant_message: text,
  background_tasks: z.array(object).optional(),
  session_crons: z.array(object).optional(),
}
const stopping = {
  handlers: anyHandler,
  exitTwo: 'block',
  audience: 'model',
  takesDecision: true,
  canFailClosed: false,
  tellsMode: true,
  refusal: 'instruct',
  output: { additionalContext: text },
} as const

/** The main agent finished its answer. */
export const Stop = defineEvent({ ...stopping, input: stopInput })

/** A subagent finished. */
export const SubagentStop = defineEvent({
  ...stopping,
  matcher: 'agent_type',
  input: { ...stopInput, agent_id: z.string(), agent_type: z.string(), agent_transcript_path: z.string() },
})

/** The turn ended by an error of the service. */
export const StopFailure = defineEvent({
  matcher: 'error',
  names: 'narrow',
  handlers: plainHandlers,
  exitTwo: 'ignore',
  universal: 'none',
  input: { error: z.string(), error_details: text, last_assistant_message: text },
  output: {},
})

/** A subagent begins. */
export const SubagentStart = defineEvent({
  matcher: 'agent_type',
  handlers: plainHandlers,
  exitTwo: 'notice',
  input: { agent_id: z.string(), agent_type: z.string() },
  output: { additionalContext: text },
})

/** The context is about to be compacted. */
export const PreCompact = defineEvent({
  matcher: 'trigger',
  handlers: plainHandlers,
  exitTwo: 'block',
  takesDecision: true,
  universal: 'none',
  input: { trigger: z.string(), custom_instructions: z.string().nullable() },
  output: {},
})

/** The context was compacted. */
export const PostCompact = defineEvent({
  matcher: 'trigger',
  handlers: plainHandlers,
  exitTwo: 'notice',
  universal: 'none',
  input: { trigger: z.string(), compact_summary: z.string() },
  output: {},
})
