import { z } from 'zod'

const common = {
  /** One permission rule; the handler runs only for calls that it matches. */
  if: z.string().optional(),
  /** Seconds the handler may take. */
  timeout: z.unknown().optional(),
  /** What the user sees while the handler runs. */
  statusMessage: z.string().optional(),
  /** Removed after its first success. */
  once: z.boolean().optional(),
}
const onFailure = z.enum(['continue', 'block']).optional()

/** A command, in a shell or started directly. */
const commandHandler = z.looseObject({
  ...common,
  /** Tells the kinds apart. */
  type: z.literal('command'),
  /** The command line, or with `args` the program. */
  command: z.string().min(1),
  /** The arguments; with them no shell is involved. */
  args: z.array(z.string()).optional(),
  /** The shell of a command line. */
  shell: z.enum(['bash', 'powershell']).optional(),
  /** Nobody waits for it. */
  async: z.boolean().optional(),
  /** Nobody waits for it, and exit status 2 wakes the model. */
  asyncRewake: z.boolean().optional(),
  /** Stands before the text that wakes the model. */
  rewakeMessage: z.string().optional(),
  /** What the user is told when the model is woken. */
  rewakeSummary: z.string().optional(),
  /** What a failure of the handler does. */
  onFailure,
})

/** A request to a server. */
const httpHandler = z.looseObject({
  ...common,
  /** Tells the kinds apart. */
  type: z.literal('http'),
  /** Where the input is posted to. */
  url: z.string().min(1),
  /** Headers; `$NAME` stands for a variable that `allowedEnvVars` names. */
  headers: z.record(z.string(), z.string()).optional(),
  /** Names of variables that headers may use. */
  allowedEnvVars: z.array(z.string()).optional(),
  /** What a failure of the request does. */
  onFailure,
})

/** A tool of an MCP server. */
const mcpToolHandler = z.looseObject({
  ...common,
  /** Tells the kinds apart. */
  type: z.literal('mcp_tool'),
  /** The server. */
  server: z.string().min(1),
  /** Its tool. */
  tool: z.string().min(1),
  /** The tool's input; `${path.to.field}` stands for a field of the event. */
  input: z.record(z.string(), z.unknown()).optional(),
})

/** A question to a model. */
const promptHandler = z.looseObject({
  ...common,
  /** Tells the kinds apart. */
  type: z.literal('prompt'),
  /** The question; `$ARGUMENTS` stands for the input. */
  prompt: z.string().min(1),
  /** The model to ask. */
  model: z.string().optional(),
  /** A no is feedback, and the turn goes on. */
  continueOnBlock: z.boolean().optional(),
})

/** A task for an agent that judges. */
const agentHandler = z.looseObject({
  ...common,
  /** Tells the kinds apart. */
  type: z.literal('agent'),
  /** The task; `$ARGUMENTS` stands for the input. */
  prompt: z.string().min(1),
  /** The model to ask. */
  model: z.string().optional(),
})

/** Any handler. */
export const hookHandler = z.discriminatedUnion('type', [
  commandHandler,
  httpHandler,
  mcpToolHandler,
  promptHandler,
  agentHandler,
])

/** A command handler. */
export type CommandHandler = z.infer<typeof commandHandler>
/** A request handler. */
export type HttpHandler = z.infer<typeof httpHandler>
/** A handler that calls an MCP tool. */
export type McpToolHandler = z.infer<typeof mcpToolHandler>
/** A handler that asks a model. */
export type PromptHandler = z.infer<typeof promptHandler>
/** A handler that asks an agent. */
export type AgentHandler = z.infer<typeof agentHandler>
/** One handler of a configuration. */
export type HookHandler = z.infer<typeof hookHandler>
