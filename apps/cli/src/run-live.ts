import process from 'node:process'
import { type Query, query } from '@x/session'
import type { CliArguments } from './arguments.ts'
import { askForTrust, createTerminalAsker, type Terminal, type TerminalAsker } from './ask-on-tty.ts'
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
  const terminal = openTerminal()
  const asker = terminal && createTerminalAsker(terminal)
  const running = await open(args, prompt.text, { terminal, asker })
  if (running === undefined) return 1
  using signals = watchSignals(running)
  const view = createLiveView({ stream: process.stdout, cwd: process.cwd() })
  let isError = false
  let shown: Promise<void> = Promise.resolve()
  for await (const event of running) {
    signals.saw(event)
    if (event.type === 'result') isError = event.is_error
    const at = performance.now()
    // While a question is open nothing else is written; what comes meanwhile keeps its time.
    shown = shown.then(() => asker?.quiet()).then(() => view.event(event, at))
  }
  await shown
  process.stdout.write(`\n${view.timeline().join('\n')}\n`)
  return signals.exitCode ?? (isError ? 1 : 0)
}

interface Somebody {
  readonly terminal: Terminal | undefined
  readonly asker: TerminalAsker | undefined
}

/** Opens the session; what is wrong with its options is one line for the user. */
async function open(
  args: CliArguments,
  prompt: string,
  { terminal, asker }: Somebody,
): Promise<Query | undefined> {
  try {
    const options = await toQueryOptions(args, {
      isHeadless: false,
      canUseTool: asker?.canUseTool,
      askForTrust: terminal && ((held) => askForTrust(terminal, held)),
    })
    return query({ prompt, options: { ...options, includePartialMessages: true } })
  } catch (error) {
    process.stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`)
    return undefined
  }
}

/** With a terminal on both ends there is somebody to ask. */
function openTerminal(): Terminal | undefined {
  const { stdin: input, stdout: output } = process
  return input.isTTY && output.isTTY ? { input, output, cwd: process.cwd() } : undefined
}
