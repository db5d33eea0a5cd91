import { defineTool, type SessionRecord, type Tool, type ToolUseContext } from '@x/contract'
import { z } from 'zod'
import { describeAgentTool } from './agent-description.ts'
import type { AgentOutput } from './agent-output.ts'
import { toResult } from './agent-result.ts'
import type { Agents } from './agents.ts'
import type { AgentDefinition } from './definition.ts'
import { AgentError } from './errors.ts'
import { findAgent, pickAgents } from './find-agent.ts'
import { forkAgent } from './fork.ts'
import type { AgentCall } from './plan-agent.ts'

/** What an Agent call reports while its agent works: each of the agent's records. */
export interface AgentProgress {
  /** Tells it from other progress. */
  readonly type: 'agent'
  /** The record, with the call as its `parent_tool_use_id`. */
  readonly record: SessionRecord
}

const inputSchema = z.strictObject({
  description: z.string().describe('The task in three to five words'),
  prompt: z.string().min(1).describe('The task, with everything the agent has to know'),
  subagent_type: z.string().optional().describe('Which agent; default: general-purpose'),
  model: z.enum(['sonnet', 'opus', 'haiku', 'fable']).optional().describe('Default: as the agent is defined'),
  run_in_background: z.boolean().optional().describe('Do not wait for its end'),
  name: z
    .string()
    .refine((name) => name.trim() !== 'main', 'main is the name of the main conversation')
    .optional()
    .describe('A name to write to it by, with SendMessage'),
  isolation: z.enum(['worktree', 'remote']).optional().describe('A git worktree of its own'),
  team_name: z.string().optional().describe('Ignored'),
  mode: z.string().optional().describe('Ignored'),
})

const forkSchema = inputSchema.extend({
  subagent_type: z.string().optional().describe('Which agent; default: fork'),
})

/** Rules and hooks are to see the agent that a call comes to, under its own name, however the call spells it. */
function schemaFor(usable: readonly AgentDefinition[]): typeof inputSchema {
  const hasFork = usable.some(({ isFork }) => isFork)
  return (hasFork ? forkSchema : inputSchema).overwrite(({ subagent_type: given = '', ...input }) => {
    const type = given.trim() === '' && hasFork ? forkAgent.name : given
    if (type.trim() === '') return input
    return { ...input, subagent_type: findAgent(usable, type)?.name ?? type }
  })
}

/** The tool by which a model starts an agent. */
export type AgentTool = Tool<typeof inputSchema, AgentOutput, AgentProgress>

/**
 * Makes the Agent tool. Its description names the agents there are now: make it anew when they change.
 *
 * An agent that failed without a text is an error result, every other end is a result that says how it was. When the call is
 * aborted, it rejects with the reason. It never cancels its siblings.
 */
export function createAgentTool(agents: Agents): AgentTool {
  const usable = pickAgents(agents.definitions(), agents.allowedTypes())
  return defineTool<typeof inputSchema, AgentOutput, AgentProgress>({
    name: 'Agent',
    aliases: ['Task'],
    description: describeAgentTool(usable, agents),
    inputSchema: schemaFor(usable),
    isConcurrencySafe: () => true,
    failureCancelsSiblings: () => false,
    interruptBehavior: () => 'block',
    maxResultSizeChars: Infinity,
    // oxlint-disable-next-line max-params -- the shape of Tool.call
    async call(input, context, _canUseTool, _parentMessage, onProgress) {
      if (input.isolation === 'remote') {
        throw new AgentError(
          'no-isolation',
          'Remote isolation is not available here. Use isolation "worktree".',
        )
      }
      const output = await agents.start(toCall(input, context, onProgress))
      // The call was aborted: it ends as interrupted calls do. An agent that was stopped alone still has something to tell.
      if (output.status === 'interrupted') context.abortController.signal.throwIfAborted()
      return { data: output, ...(output.status === 'failed' && { isError: true }) }
    },
    mapResult: toResult,
  })
}

function toCall(
  input: z.output<typeof inputSchema>,
  context: ToolUseContext,
  onProgress: (progress: AgentProgress) => void,
): AgentCall {
  const { subagent_type: type, model, run_in_background: isBackground, name, isolation } = input
  return {
    description: input.description,
    prompt: input.prompt,
    ...(type !== undefined && { type }),
    ...(model !== undefined && { model }),
    ...(isBackground !== undefined && { isBackground }),
    ...(name !== undefined && name.trim() !== '' && { name: name.trim() }),
    ...(isolation === 'worktree' && { isolation }),
    context,
    onEvent(record) {
      // What an agent's own agents report has its own way out; here it would grow with every layer.
      if (record.type !== 'tool_progress' || record.phase !== 'progress')
        onProgress({ type: 'agent', record })
    },
  }
}
