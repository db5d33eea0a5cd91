import { z } from 'zod'
import { anyHandler, defineEvent, object, plainHandlers, text } from './event.ts'

const stopInput = {
  /** Whether the turn goes on already because of a hook. */
  stop_hook_active: z.boolean(),
  /** What the model said last. */
  last_assistant_message: text,
  /** What still runs in the background. */
  background_tasks: z.array(object).optional(),
  /** What is scheduled. */
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
  output: {
    /** Context for the model. */
    additionalContext: text,
  },
} as const

/** The main agent finished its answer. */
export const Stop = defineEvent({ ...stopping, input: stopInput })

/** A subagent finished. */
export const SubagentStop = defineEvent({
  ...stopping,
  matcher: 'agent_type',
  input: {
    ...stopInput,
    /** The subagent. */
    agent_id: z.string(),
    /** Its kind; may be empty. */
    agent_type: z.string(),
    /** The file with its conversation. */
    agent_transcript_path: z.string(),
  },
})

/** The turn ended by an error of the service. */
export const StopFailure = defineEvent({
  matcher: 'error',
  names: 'narrow',
  handlers: plainHandlers,
  exitTwo: 'ignore',
  universal: 'none',
  input: {
    /** What went wrong. */
    error: z.string(),
    /** More about it. */
    error_details: text,
    /** What the model said last. */
    last_assistant_message: text,
  },
  output: {},
})

/** A subagent begins. */
export const SubagentStart = defineEvent({
  matcher: 'agent_type',
  handlers: plainHandlers,
  exitTwo: 'notice',
  input: {
    /** The subagent. */
    agent_id: z.string(),
    /** Its kind; may be empty. */
    agent_type: z.string(),
  },
  output: {
    /** Context for the model. */
    additionalContext: text,
  },
})

/** The context is about to be compacted. */
export const PreCompact = defineEvent({
  matcher: 'trigger',
  handlers: plainHandlers,
  exitTwo: 'block',
  takesDecision: true,
  universal: 'none',
  input: {
    /** What set it off. */
    trigger: z.string(),
    /** What the user asked for; null if nothing. */
    custom_instructions: z.string().nullable(),
  },
  output: {},
})

/** The context was compacted. */
export const PostCompact = defineEvent({
  matcher: 'trigger',
  handlers: plainHandlers,
  exitTwo: 'notice',
  universal: 'none',
  input: {
    /** What set it off. */
    trigger: z.string(),
    /** The summary. */
    compact_summary: z.string(),
  },
  output: {},
})
