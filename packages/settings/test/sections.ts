import { z } from 'zod'

/** Schemas of the shape that real sections have; the real ones belong to other packages. */
const handler = z.looseObject({
  type: z.enum(['command', 'prompt']),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  timeout: z.number().optional(),
})
const group = z.looseObject({ matcher: z.string().optional(), hooks: z.array(handler) })

export const sections = {
  permissions: z.looseObject({
    allow: z.array(z.string()).optional(),
    ask: z.array(z.string()).optional(),
    deny: z.array(z.string()).optional(),
    additionalDirectories: z.array(z.string()).optional(),
    defaultMode: z.enum(['default', 'acceptEdits', 'plan', 'bypassPermissions']).optional(),
  }),
  hooks: z.partialRecord(z.enum(['PreToolUse', 'PostToolUse', 'Stop']), z.array(z.union([group, handler]))),
  env: z.record(z.string(), z.string()),
  mcpServers: z.record(
    z.string(),
    z.looseObject({ command: z.string(), args: z.array(z.string()).optional() }),
  ),
}
