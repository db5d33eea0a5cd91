import type { Environment } from './expand-variables.ts'

/** How long and how much; times in milliseconds. */
export interface McpLimits {
  /** From the start of a server to its list of tools. @default 30,000 */
  readonly startMs: number
  /** One call. @default 100,800,000 (28 hours) */
  readonly callMs: number
  /** Without an answer or progress in a call of a program. @default 1,800,000 (30 minutes) */
  readonly idleMs: number
  /** The same on the network. @default 300,000 (5 minutes) */
  readonly networkIdleMs: number
  /** From one HTTP request to the head of its answer. @default 60,000 */
  readonly requestMs: number
  /** One message of a server, in characters; a longer one ends the connection. @default 33,554,432 */
  readonly maxMessageChars: number
  /** The text of one result; a longer one goes to disk. A tool may say otherwise, up to 500,000. @default 100,000 (25,000 tokens) */
  readonly maxResultChars: number
  /** The name of a tool for the model. @default 64 */
  readonly maxNameLength: number
}

const CHARS_PER_TOKEN = 4
/** Timers take no more. */
const LONGEST_MS = 2_147_483_647

/** The limits that count when nobody says otherwise. */
export const DEFAULT_MCP_LIMITS: McpLimits = {
  startMs: 30_000,
  callMs: 100_800_000,
  idleMs: 1_800_000,
  networkIdleMs: 300_000,
  requestMs: 60_000,
  maxMessageChars: 32 * 1024 * 1024,
  maxResultChars: 25_000 * CHARS_PER_TOKEN,
  maxNameLength: 64,
}

/** Limits that an environment sets: `MCP_TIMEOUT`, `MCP_TOOL_TIMEOUT`, `MAX_MCP_OUTPUT_TOKENS`. What is no positive number counts as unset. */
export function readMcpLimits(env: Environment): Partial<McpLimits> {
  const startMs = positive(env['MCP_TIMEOUT'])
  const callMs = positive(env['MCP_TOOL_TIMEOUT'])
  const tokens = positive(env['MAX_MCP_OUTPUT_TOKENS'])
  return {
    ...(startMs !== undefined && { startMs: Math.min(startMs, LONGEST_MS) }),
    ...(callMs !== undefined && { callMs: Math.min(callMs, LONGEST_MS) }),
    ...(tokens !== undefined && { maxResultChars: tokens * CHARS_PER_TOKEN }),
  }
}

function positive(text: string | undefined): number | undefined {
  const value = /^\d+$/.test(text ?? '') ? Number(text) : 0
  return value > 0 ? value : undefined
}
