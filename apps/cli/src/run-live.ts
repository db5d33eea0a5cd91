import process from 'node:process'
import type { CliArguments } from './arguments.ts'
import { askForTrust, createTerminalAsker, type Terminal, type TerminalAsker } from './ask-on-tty.ts'
import { toPlain } from './live/paint.ts'
import { createLiveView, type LiveView } from './live/view.ts'
import { type OpenedRun, openRun } from './open-run.ts'
import { readTask, toExitCode } from './read-task.ts'
import { watchSignals } from './signals.ts'
import { createUpkeep } from './upkeep/upkeep.ts'

/** Answers one prompt and shows the work as it goes; resolves with the exit code. */
export async function runLive(args: CliArguments): Promise<number> {
  const task = await readTask(args, true)
  if (task === undefined) return 1
  const terminal = openTerminal()
  const view = createLiveView({ stream: process.stdout })
  const asker = terminal && createTerminalAsker(terminal, view)
  const asks = (cwd: string) => ({
    canUseTool: asker?.canUseTool,
    askForTrust: terminal && ((held: readonly string[]) => askForTrust(terminal, cwd, held)),
  })
  const opened = await openRun(args, {
    prompt: task.prompt,
    isHeadless: false,
    asks,
    includePartialMessages: true,
    ...(process.stdout.isTTY && { terminal: (sequence) => void process.stdout.write(sequence) }),
  })
  if (opened.type === 'failed') return opened.exitCode
  const code = await show(opened, args, { view, asker, ifNothing: task.ifNothing })
  const told = await opened.place.leave(opened.running.worktree === undefined ? 'left' : 'tidy')
  if (told !== undefined) process.stdout.write(`\n${toPlain(told)}\n`)
  return code
}

/** Where a session is shown, and whoever answers its questions there. */
interface LiveScreen {
  readonly view: LiveView
  readonly asker: TerminalAsker | undefined
  /** What to say where there turns out to be nothing to do. */
  readonly ifNothing: string | undefined
}

/** Shows the session to its end; resolves with the exit code that it and the signals ask for. */
async function show(
  { running, place }: Extract<OpenedRun, { readonly type: 'open' }>,
  args: CliArguments,
  { view, asker, ifNothing }: LiveScreen,
): Promise<number> {
  using signals = watchSignals(running)
  await using upkeep = createUpkeep({ cwd: place.cwd, flagSettings: args.settings })
  let isError: boolean | undefined
  let shown: Promise<void> = Promise.resolve()
  for await (const event of running) {
    signals.saw(event)
    upkeep.saw(event)
    if (event.type === 'result') isError = event.is_error
    const at = performance.now()
    // While a question is open nothing else is written; what comes meanwhile keeps its time.
    shown = shown.then(() => asker?.quiet()).then(() => view.event(event, at))
  }
  await shown
  process.stdout.write(`\n${view.timeline().join('\n')}\n`)
  return signals.exitCode ?? toExitCode(isError, ifNothing)
}

/** With a terminal on both ends there is somebody to ask. */
function openTerminal(): Terminal | undefined {
  const { stdin: input, stdout: output } = process
  return input.isTTY && output.isTTY ? { input, output } : undefined
}
