// Exercise 2: a failing command cancels its siblings, a failing read does not. Two calls at a time.
import { createAbortController } from '@x/abort'
import { createToolUseContext } from '@x/contract'
import { runTools } from '@x/executor'
import { askFor } from './support/ask-for.ts'
import { createTimedTool } from './support/timed-tool.ts'

/** Runs both messages; gives the cause with which each call was answered. */
export async function main() {
  const command = await causes(['Command', { name: 'mkdir', ms: 5, fails: true }])
  const read = await causes(['Read', { name: 'missing', ms: 5, fails: true }])
  return { command, read }
}

async function causes(first: readonly [string, unknown]): Promise<readonly string[]> {
  const { message, blocks } = askFor(
    first,
    ['Command', { name: 'cp', ms: 5 }],
    ['Read', { name: 'notes', ms: 5 }],
  )
  const events = runTools(blocks, message, {
    context: createToolUseContext({
      cwd: process.cwd(),
      options: {
        tools: [
          createTimedTool('Command', { failureCancelsSiblings: true }),
          createTimedTool('Read', { isSafe: true }),
        ],
      },
    }),
    query: createAbortController(),
    authorize: async () => ({
      behavior: 'allow',
      reason: { type: 'mode', detail: 'everything is allowed here' },
    }),
    maxConcurrency: 2,
  })
  const found: string[] = []
  for await (const event of events) {
    if (event.type === 'tool-result')
      found.push(`${event.cause}${event.result.is_error === true ? ' (error)' : ''}`)
  }
  return found
}

if (import.meta.main) console.log(await main())
