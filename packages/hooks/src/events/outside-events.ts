import { z } from 'zod'
import { defineEvent, object, plainHandlers, text } from './event.ts'

const answer = { action: z.enum(['accept', 'decline', 'cancel']).optional(), content: object.optional() }

/** An MCP server asks the user something. */
export const Elicitation = defineEvent({
  matcher: 'mcp_server_name',
  handlers: plainHandlers,
  exitTwo: 'block',
  audience: 'nobody',
  universal: 'none',
  input: {
    mcp_server_name: z.string(),
    message: z.string(),
    mode: text,
    url: text,
    elicitation_id: text,
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
    mcp_server_name: z.string(),
    action: z.string(),
    mode: text,
    elicitation_id: text,
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
  input: { name: z.string() },
  output: { worktreePath: text },
})

/** A worktree that a hook made is no longer needed. */
export const WorktreeRemove = defineEvent({
  handlers: plainHandlers,
  exitTwo: 'block',
  universal: 'none',
  failureBlocks: true,
  input: { worktree_path: z.string() },
  output: {},
})
