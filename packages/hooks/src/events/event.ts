import { z } from 'zod'

/** The kinds of handlers that a settings file can name. */
export type HandlerType = 'command' | 'http' | 'mcp_tool' | 'prompt' | 'agent'

/** How one event behaves: what hooks are told, what they may say, and what that does. */
export interface EventSpec<
  Input extends z.ZodRawShape = z.ZodRawShape,
  Output extends z.ZodRawShape = z.ZodRawShape,
> {
  /** The fields of the input beyond the common ones. */
  readonly input: z.ZodObject<Input, z.core.$loose>
  /** The fields of `hookSpecificOutput`; each also counts at the top level. */
  readonly output: z.ZodObject<Output, z.core.$loose>
  /** The field of the input that matchers look at. @default matchers are ignored */
  readonly matcher?: string
  /** Which of the characters of a matcher still make it a list of names and not an expression. @default 'wide' */
  readonly names?: 'wide' | 'narrow'
  /** The kinds of handlers that may stand here. */
  readonly handlers: readonly HandlerType[]
  /** Seconds that a command, request or MCP call may take. @default 600 */
  readonly timeoutSeconds?: number
  /** What exit status 2 does: stop the action, tell the user, or nothing. */
  readonly exitTwo: 'block' | 'notice' | 'ignore'
  /** Who reads the reason of a block. @default 'user' */
  readonly audience?: 'model' | 'user' | 'nobody'
  /** Whether `decision: "block"` at the top level blocks. @default false */
  readonly takesDecision?: boolean
  /** Which of `systemMessage` and `continue` count. @default 'all' */
  readonly universal?: 'all' | 'no-continue' | 'none'
  /** What text that is not JSON means: nothing, context for the model, or the path that was asked for. @default 'nothing' */
  readonly plainText?: 'nothing' | 'context' | 'path'
  /** Whether `onFailure: "block"` counts. @default true */
  readonly canFailClosed?: boolean
  /** Whether any failure at all stops the action, whatever `onFailure` says. @default false */
  readonly failureBlocks?: boolean
  /** Whether an elapsed time limit alone stops the action. @default false */
  readonly timeoutBlocks?: boolean
  /** Whether handlers with `if` run; elsewhere they never do. @default false */
  readonly takesIf?: boolean
  /** Whether the input tells the permission mode. @default false */
  readonly tellsMode?: boolean
  /** Whether hooks get a file for `export` lines. @default false */
  readonly hasEnvFile?: boolean
  /** What `ok: false` of a prompt or agent does. @default nothing */
  readonly refusal?: 'deny' | 'feedback' | 'instruct' | 'end' | 'idle'
}

/** All kinds of handlers. */
export const anyHandler = ['command', 'http', 'mcp_tool', 'prompt', 'agent'] as const

/** The kinds of handlers that ask no model. */
export const plainHandlers = ['command', 'http', 'mcp_tool'] as const

/** The table entry as it is written down: the fields as shapes. */
export type EventDefinition<Input extends z.ZodRawShape, Output extends z.ZodRawShape> = Omit<
  EventSpec,
  'input' | 'output'
> & {
  /** Fields of the input. */
  readonly input: Input
  /** Fields of the output. */
  readonly output: Output
}

/** Makes a table entry. */
export function defineEvent<Input extends z.ZodRawShape, Output extends z.ZodRawShape>(
  definition: EventDefinition<Input, Output>,
): EventSpec<Input, Output> {
  const { input, output, ...rest } = definition
  return { ...rest, input: z.looseObject(input), output: z.looseObject(output) }
}

/** A text that may be missing. */
export const text = z.string().optional()

/** A yes or no that may be missing. */
export const flag = z.boolean().optional()

/** Any JSON object. */
export const object = z.record(z.string(), z.unknown())
