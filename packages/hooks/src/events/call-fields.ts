import { z } from 'zod'
import { object, text } from './event.ts'

/** What hooks are told of the call that an event is about. */
export const callFields = {
  /** The tool. */
  tool_name: z.string(),
  /** Its input; of a file its absolute path. */
  tool_input: object,
  /** The server of an MCP tool. */
  mcp_server: z
    .looseObject({
      /** Its name. */
      name: z.string(),
      /** What it came from, or how. */
      source: text,
    })
    .optional(),
}
