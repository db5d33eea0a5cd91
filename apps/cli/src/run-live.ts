import process from 'node:process'
import { type Query, query } from '@x/session'
import type { CliArguments } from './arguments.ts'
import { createTerminalAsker, type TerminalAsker } from './ask-on-tty.ts'
import { createLiveView } from './live/view.ts'
import { toQueryOptions } from './query-options.ts'
import { readPrompt } from './read-prompt.ts'
import { watchSignals } from './signals.ts'

/** Answers one prompt and shows the work as it goes; resolves with the exit code. */
export async function runLive(args: CliArguments): Promise<number> {
  const prompt = await readPrompt(args.prompt, process.stdin)
  if (!prompt.ok) {
    process.stderr.write(`${prompt.error}\n`)
    return 1
  }
  const asker = askWherePossible()
  let running: Query
  try {
    const options = await toQueryOptions(args, { isHeadless: false, canUseTool: asker?.canUseTool })
    running = query({ prompt: prompt.text, options: { ...options, includePartialMessages: true } })
  } catch (error) {
    process.stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
  using signals = watchSignals(running)
  const view = createLiveView({ stream: process.stdout, cwd: process.cwd() })
  let isError = false
  for await (const event of running) {
    if (event.type === 'result') isError = event.is_error
    await asker?.quiet()
    view.event(event)
  }
  process.stdout.write(`\n${view.timeline().join('\n')}\n`)
  return signals.exitCode ?? (isError ? 1 : 0)
}

/** With a terminal on both ends there is somebody to ask. */
function askWherePossible(): TerminalAsker | undefined {
  const { stdin: input, stdout: output } = process
  return input.isTTY && output.isTTY ? createTerminalAsker({ input, output, cwd: process.cwd() }) : undefined
}
