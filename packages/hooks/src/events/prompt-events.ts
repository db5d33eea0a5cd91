import { z } from 'zod'
import { anyHandler, defineEvent, flag, plainHandlers, text } from './event.ts'

/** A prompt is about to be processed. */
export const UserPromptSubmit = defineEvent({
  handlers: anyHandler,
  timeoutSeconds: 30,
  exitTwo: 'block',
  takesDecision: true,
  plainText: 'context',
  tellsMode: true,
  refusal: 'end',
  input: { prompt: z.string(), session_title: text },
  output: {
    additionalContext: text,
    sessionTitle: text,
    suppressOriginalPrompt: flag,
    updatedPrompt: text,
  },
})

/** A typed command or an MCP prompt expands. */
export const UserPromptExpansion = defineEvent({
  matcher: 'command_name',
  handlers: anyHandler,
  exitTwo: 'block',
  takesDecision: true,
  plainText: 'context',
  tellsMode: true,
  refusal: 'end',
  input: {
    expansion_type: z.string(),
    command_name: z.string(),
    command_args: z.string(),
    command_source: text,
    prompt: z.string(),
  },
  output: { additionalContext: text, suppressOriginalPrompt: flag },
})

/** The user is to be told something. */
export const Notification = defineEvent({
  matcher: 'notification_type',
  handlers: plainHandlers,
  exitTwo: 'ignore',
  universal: 'none',
  input: { message: z.string(), title: text, notification_type: z.string() },
  output: {},
})

/** Text of the model is about to be shown. */
export const MessageDisplay = defineEvent({
  handlers: plainHandlers,
  timeoutSeconds: 10,
  exitTwo: 'ignore',
  universal: 'none',
  input: {
    turn_id: z.string(),
    message_id: z.string(),
    index: z.number(),
    final: z.boolean(),
    delta: z.string(),
  },
  output: { displayContent: text },
})
