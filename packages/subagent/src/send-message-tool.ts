import { defineTool, type Tool } from '@x/contract'
import { z } from 'zod'
import type { Agents } from './agents.ts'
import type { Delivery } from './send-message.ts'

const inputSchema = z.strictObject({
  to: z.string().min(1).describe('Id or name of an agent, or "main" from inside an agent'),
  message: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .describe('What to say; an object is sent as JSON'),
  summary: z.string().optional().describe('In a few words; default: the first line'),
  notify_when_idle: z.boolean().optional().describe('Accepted; the end of an agent is always told'),
})

/** The tool by which a model writes to an agent, and an agent to the main conversation. */
export type SendMessageTool = Tool<typeof inputSchema, Delivery, never>

/** Makes the SendMessage tool. */
export function createSendMessageTool(agents: Agents): SendMessageTool {
  return defineTool({
    name: 'SendMessage',
    description:
      'Writes to an agent that was started before, by its id or name. A running agent reads it at its next turn. One that has ended ' +
      'goes on in the background with all it knows; you are told when it has ended again. Explore and Plan agents cannot go on, ' +
      'and one that the user stopped only goes on when the user writes to it. For a new task, start a new agent with Agent. ' +
      'Inside an agent, "main" is the conversation that everything started from.',
    inputSchema,
    isConcurrencySafe: () => true,
    maxResultSizeChars: 10_000,
    async call({ to, message, summary }, context) {
      const text = typeof message === 'string' ? message : JSON.stringify(message)
      const delivery = await agents.send({ to, text, ...(summary !== undefined && { summary }), context })
      return { data: delivery }
    },
    mapResult: (delivery, toolUseId) => ({
      type: 'tool_result',
      tool_use_id: toolUseId,
      content: describeDelivery(delivery),
    }),
  })
}

function describeDelivery(delivery: Delivery): string {
  if (delivery.status === 'queued') return `Sent to ${delivery.to}; read at its next turn.`
  const { agentId, taskId } = delivery.launched
  return `Agent ${agentId} had ended and goes on with your message in the background (task_id: ${taskId}). You will be told when it has ended; do not guess its results.`
}
