import type { Environment } from './choices.ts'

/** The limits of a session's agents. */
export interface AgentLimits {
  /** Layers of agents below the main session. @default 3 */
  readonly maxDepth: number
  /** Agents that run at the same time. @default 20 */
  readonly maxConcurrent: number
  /** Agents that models start in all; one that they wake counts again. @default 1_000 */
  readonly maxAgents: number
  /** The longest report its reader gets, in characters. @default 32_000 */
  readonly maxReportChars: number
}

/** Reads the limits; a value that is no positive whole number keeps the default. */
export function readAgentLimits(env: Environment): AgentLimits {
  return {
    maxDepth: positiveInteger(env['CLAUDE_CODE_MAX_SUBAGENT_SPAWN_DEPTH'], 3),
    maxConcurrent: positiveInteger(env['CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS'], 20),
    maxAgents: 1_000,
    maxReportChars: Math.min(160_000, positiveInteger(env['TASK_MAX_OUTPUT_LENGTH'], 32_000)),
  }
}

function positiveInteger(text: string | undefined, fallback: number): number {
  return text !== undefined && /^\s*[1-9]\d*\s*$/.test(text) ? Number(text) : fallback
}
