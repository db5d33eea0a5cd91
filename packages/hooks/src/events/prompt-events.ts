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
  input: {
    /** The prompt. */
    prompt: z.string(),
    /** The title of the session. */
    session_title: text,
  },
  output: {
    /** Context for the model. */
    additionalContext: text,
    /** A title for the session. */
    sessionTitle: text,
    /** Leaves the prompt out of the message about a block. */
    suppressOriginalPrompt: flag,
    /** Takes the place of the prompt. */
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
    /** `slash_command` or `mcp_prompt`. */
    expansion_type: z.string(),
    /** The command. */
    command_name: z.string(),
    /** Its arguments. */
    command_args: z.string(),
    /** Where it comes from. */
    command_source: text,
    /** The prompt. */
    prompt: z.string(),
  },
  output: {
    /** Context for the model. */
    additionalContext: text,
    /** Leaves the prompt out of the message about a block. */
    suppressOriginalPrompt: flag,
  },
})

/** The user is to be told something. */
export const Notification = defineEvent({
  matcher: 'notification_type',
  handlers: plainHandlers,
  exitTwo: 'ignore',
  universal: 'none',
  input: {
    /** The text. */
    message: z.string(),
    /** Its title. */
    title: text,
    /** What it is about. */
    notification_type: z.string(),
  },
  output: {},
})

/** Text of the model is about to be shown. */
export const MessageDisplay = defineEvent({
  handlers: plainHandlers,
  timeoutSeconds: 10,
  exitTwo: 'ignore',
  universal: 'none',
  input: {
    /** The turn. */
    turn_id: z.string(),
    /** The message. */
    message_id: z.string(),
    /** The number of this piece. */
    index: z.number(),
    /** Whether it is the last piece. */
    final: z.boolean(),
    /** The text of this piece. */
    delta: z.string(),
  },
  output: {
    /** What is shown in its place. */
    displayContent: text,
  },
})
