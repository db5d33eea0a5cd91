import { withoutUndefined } from '@x/contract'
import type { ElicitAnswer, McpElicitation, McpElicitationAnswer } from '@x/tools-mcp'
import type { SessionHooks } from '../hooks/session-hooks.ts'

/** Answers what servers ask through the hooks for it; where no hook answers, nobody does. */
export function createElicit(hooks: () => SessionHooks): ElicitAnswer {
  return async (request, { signal }) => {
    const { run } = hooks()
    const asked = await run('Elicitation', describe(request), signal)
    const answer = asked?.outcome === 'block' ? declined : toAnswer(asked?.fields)
    const { server, mode, elicitationId } = request
    const told = await run(
      'ElicitationResult',
      withoutUndefined({
        mcp_server_name: server,
        mode,
        elicitation_id: elicitationId,
        action: answer.action,
        content: answer.content,
      }),
      signal,
    )
    if (told?.outcome === 'block') return declined
    return told?.fields.action === undefined ? answer : toAnswer(told.fields)
  }
}

const declined: McpElicitationAnswer = { action: 'decline' }

function toAnswer(
  fields: { readonly action?: string | undefined; readonly content?: object | undefined } = {},
): McpElicitationAnswer {
  const { action, content } = fields
  if (action !== 'accept') return { action: action === 'cancel' ? 'cancel' : 'decline' }
  // What fields it may have, the server says by its schema, and checks.
  return content === undefined ? { action } : { action, content: { ...content } }
}

function describe({ server, message, mode, url, elicitationId, requestedSchema }: McpElicitation) {
  return withoutUndefined({
    mcp_server_name: server,
    message,
    mode,
    url,
    elicitation_id: elicitationId,
    requested_schema: requestedSchema && { ...requestedSchema },
  })
}
