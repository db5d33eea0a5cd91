import process from 'node:process'
import type { SessionEvent, SystemRecord } from '@x/contract'
import type { Query } from '@x/session'
import type { CliArguments } from './arguments.ts'
import { createHostAsker, type HostAsker } from './ask-host.ts'
import { describeRetry } from './describe-retry.ts'
import { type OpenedRun, openRun } from './open-run.ts'
import { createSink, type Sink } from './output/sink.ts'
import { createWriter, type Writer } from './output/writer.ts'
import { printError } from './print.ts'
import { readTask, type Task, toExitCode } from './read-task.ts'
import { type SignalWatch, watchSignals } from './signals.ts'
import { createStreamInput, type StreamInput } from './stream-input.ts'
import { createUpkeep, type Upkeep } from './upkeep/upkeep.ts'

type OpenRun = Extract<OpenedRun, { readonly type: 'open' }>

/** Runs one prompt, or a stream of them, without a person at the screen; resolves with the exit code. */
export async function runHeadless(args: CliArguments): Promise<number> {
  const writer = createWriter(process.stdout)
  const host = createHostAsker((record) => writer.write(`${JSON.stringify(record)}\n`))
  const stream = args.inputFormat === 'stream-json' ? openStream(host) : undefined
  const task: Task | undefined = stream ?? (await readTask(args))
  if (task === undefined) return 1
  const asks = () => asksOf(args, host)
  const opened = await openRun(args, { prompt: task.prompt, isHeadless: true, asks })
  if (opened.type === 'failed') return opened.exitCode
  const { running, place } = opened
  stream?.connect(running, host, (response) => writer.write(`${JSON.stringify(response)}\n`))
  const code = await finish(args, opened, { writer, ifNothing: task.ifNothing })
  await place.leave('keep')
  // A source that nobody reads any more must not keep the process, nor what a reader does not take.
  process.stdin.destroy()
  const problemCode = reportProblems([stream?.problem, writer.problem])
  const exitCode = code || problemCode
  if (writer.isGone) process.exit(exitCode)
  return exitCode
}

function asksOf({ permissionPromptTool: tool }: CliArguments, { canUseTool }: HostAsker) {
  return tool === 'stdio' ? { canUseTool } : {}
}

/** Reads the session to its end; resolves with the exit code that it and the signals ask for. */
async function finish(
  args: CliArguments,
  { running, place }: OpenRun,
  { writer, ifNothing }: { readonly writer: Writer; readonly ifNothing: string | undefined },
): Promise<number> {
  void writer.gone.then(() => running.close())
  using signals = watchSignals(running, () => writer.leave())
  await using upkeep = createUpkeep({ cwd: place.cwd, flagSettings: args.settings })
  const isPlain = args.outputFormat !== 'stream-json'
  const isError = await pass(running, createSink(args, writer), { signals, upkeep, isPlain })
  await writer.flush()
  return signals.exitCode ?? toExitCode(isError, ifNothing)
}

/** Says what was wrong with input and output; the exit code for that is 1, for nothing 0. */
function reportProblems(problems: readonly (string | undefined)[]): number {
  const lines = problems.filter((line) => line !== undefined)
  for (const line of lines) process.stderr.write(`${line}\n`)
  return lines.length > 0 ? 1 : 0
}

/** Standard input as messages, control requests and answers; at its end nobody answers any more. */
function openStream(host: HostAsker): StreamInput {
  return createStreamInput(process.stdin, (record) =>
    record === undefined ? host.close() : host.answer(record),
  )
}

interface Watch {
  readonly signals: SignalWatch
  readonly upkeep: Upkeep
  /** The reader sees no records, so it is told by the way why nothing happens. */
  readonly isPlain: boolean
}

/** Passes every event on; tells whether the last result was an error, undefined where there was none. */
async function pass(
  running: Query,
  sink: Sink,
  { signals, upkeep, isPlain }: Watch,
): Promise<boolean | undefined> {
  let isError: boolean | undefined
  try {
    for await (const event of running) {
      signals.saw(event)
      upkeep.saw(event)
      if (signals.isSilent) continue
      if (isPlain) tellByTheWay(event)
      if (event.type === 'result') isError = event.is_error
      await sink.event(event)
    }
  } catch (error) {
    process.stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`)
    isError = true
  }
  await sink.end()
  return isError
}

/** What a person should know although only the answer is printed: retries, denials, and whatever did not do what it should. */
function tellByTheWay(event: SessionEvent): void {
  const retry = describeRetry(event)
  if (retry !== undefined) warn(retry)
  if (event.type !== 'system') return
  if (event.subtype === 'permission_denied') warn(describeDenial(event))
  if (event.subtype !== 'informational') return
  const content = String(event['content'])
  if (event['level'] === 'warning') warn(content)
  if (event['level'] === 'notice') printError(content)
}

function describeDenial({ tool_name: tool, decision_reason: reason, agent_id: agent }: SystemRecord): string {
  const who = agent === undefined ? String(tool) : `${String(tool)} of an agent`
  return `${who} was not permitted${typeof reason === 'string' ? `: ${reason}` : ''}`
}

function warn(text: string): void {
  printError(`Warning: ${text}`)
}
