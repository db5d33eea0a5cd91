// Exercise 1: see calls run side by side in the debug log. Three safe calls of 30 ms and an unsafe one behind them.
import { createAbortController } from '@x/abort'
import { createToolUseContext } from '@x/contract'
import { createStreamingToolExecutor, type DebugRecord } from '@x/executor'
import { askFor } from './support/ask-for.ts'
import { createTimedTool } from './support/timed-tool.ts'

/** Runs the calls; gives the log and the results. */
export async function main() {
  const log: string[] = []
  const describe = ({ toolUseId, state, beside }: DebugRecord): void => {
    log.push(`${toolUseId} ${state}${beside.length > 0 ? ` beside ${beside.join(' ')}` : ''}`)
  }
  await using executor = createStreamingToolExecutor({
    context: createToolUseContext({
      cwd: process.cwd(),
      options: { tools: [createTimedTool('Look', { isSafe: true }), createTimedTool('Change')] },
    }),
    query: createAbortController(),
    authorize: async () => ({
      behavior: 'allow',
      reason: { type: 'mode', detail: 'everything is allowed here' },
    }),
    debug: describe,
  })
  const { message, blocks } = askFor(
    ['Look', { name: 'a', ms: 30 }],
    ['Look', { name: 'b', ms: 30 }],
    ['Look', { name: 'c', ms: 30 }],
    ['Change', { name: 'd', ms: 1 }],
  )
  for (const block of blocks) executor.addTool(block, message)
  const results: unknown[] = []
  for await (const event of executor.getRemainingResults()) {
    if (event.type === 'tool-result') results.push(event.result.content)
  }
  return { log, results }
}

if (import.meta.main) {
  const { log, results } = await main()
  console.log(log.join('\n'))
  console.log(results)
}
