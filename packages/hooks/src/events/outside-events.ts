import { z } from 'zod'
import { defineEvent, object, plainHandlers, text } from './event.ts'

const answer = {
  /** `accept`, `decline` or `cancel`. */
  action: z.enum(['accept', 'decline', 'cancel']).optional(),
  /** The answer itself. */
  content: object.optional(),
}

/** An MCP server asks the user something. */
export const Elicitation = defineEvent({
  matcher: 'mcp_server_name',
  handlers: plainHandlers,
  exitTwo: 'block',
  audience: 'nobody',
  universal: 'none',
  input: {
    /** The server. */
    mcp_server_name: z.string(),
    /** The text. */
    message: z.string(),
    /** `form` or `url`. */
    mode: text,
    /** The address to open. */
    url: text,
    /** The id of the question. */
    elicitation_id: text,
    /** The schema of the answer. */
    requested_schema: object.optional(),
  },
  output: answer,
})

/** The user answered an MCP server. */
export const ElicitationResult = defineEvent({
  matcher: 'mcp_server_name',
  handlers: plainHandlers,
  exitTwo: 'block',
  audience: 'nobody',
  universal: 'none',
  input: {
    /** The server. */
    mcp_server_name: z.string(),
    /** `accept`, `decline` or `cancel`. */
    action: z.string(),
    /** `form` or `url`. */
    mode: text,
    /** The id of the question. */
    elicitation_id: text,
    /** The answer itself. */
    content: object.optional(),
  },
  output: answer,
})

/** A worktree is needed; the hook makes it and says where. */
export const WorktreeCreate = defineEvent({
  handlers: plainHandlers,
  exitTwo: 'block',
  universal: 'none',
  plainText: 'path',
  failureBlocks: true,
  input: {
    /** Its name. */
    name: z.string(),
  },
  output: {
    /** Where it is. */
    worktreePath: text,
  },
})

/** A worktree that a hook made is no longer needed. */
export const WorktreeRemove = defineEvent({
  handlers: plainHandlers,
  exitTwo: 'block',
  universal: 'none',
  failureBlocks: true,
  input: {
    /** Where it is. */
    worktree_path: z.string(),
  },
  output: {},
})
