import process from 'node:process'
import { type Query, query, type UserInput } from '@x/session'
import type { CliArguments } from './arguments.ts'
import { createHostAsker, type HostAsker } from './ask-host.ts'
import { describeRetry } from './describe-retry.ts'
import { createSink, type Sink } from './output/sink.ts'
import { createWriter, type Writer } from './output/writer.ts'
import { toQueryOptions } from './query-options.ts'
import { readPrompt } from './read-prompt.ts'
import { type SignalWatch, watchSignals } from './signals.ts'
import { createStreamInput, type StreamInput } from './stream-input.ts'

/** Runs one prompt, or a stream of them, without a person at the screen; resolves with the exit code. */
export async function runHeadless(args: CliArguments): Promise<number> {
  const writer = createWriter(process.stdout)
  const host = createHostAsker((record) => writer.write(`${JSON.stringify(record)}\n`))
  const stream = args.inputFormat === 'stream-json' ? openStream(host) : undefined
  const prompt = stream?.prompt ?? (await readPromptText(args.prompt))
  const running = prompt === undefined ? undefined : await open(args, prompt, host)
  if (running === undefined) return 1
  stream?.connect(running, host, (response) => writer.write(`${JSON.stringify(response)}\n`))
  const code = await finish(args, running, writer)
  // A source that nobody reads any more must not keep the process, nor what a reader does not take.
  process.stdin.destroy()
  const problemCode = reportProblems([stream?.problem, writer.problem])
  const exitCode = code === 0 ? problemCode : code
  if (writer.isGone) process.exit(exitCode)
  return exitCode
}

/** Reads the session to its end; resolves with the exit code that it and the signals ask for. */
async function finish(args: CliArguments, running: Query, writer: Writer): Promise<number> {
  void writer.gone.then(() => running.close())
  using signals = watchSignals(running, () => writer.leave())
  const isPlain = args.outputFormat !== 'stream-json'
  const isError = await pass(running, createSink(args, writer), { signals, isPlain })
  await writer.flush()
  return signals.exitCode ?? (isError ? 1 : 0)
}

/** Says what was wrong with input and output; the exit code for that is 1, for nothing 0. */
function reportProblems(problems: readonly (string | undefined)[]): number {
  const lines = problems.filter((line) => line !== undefined)
  for (const line of lines) process.stderr.write(`${line}\n`)
  return lines.length > 0 ? 1 : 0
}

async function readPromptText(argument: string | undefined): Promise<string | undefined> {
  const prompt = await readPrompt(argument, process.stdin)
  if (!prompt.ok) {
    process.stderr.write(`${prompt.error}\n`)
    return undefined
  }
  if (prompt.warning !== undefined) process.stderr.write(`${prompt.warning}\n`)
  return prompt.text
}

/** Standard input as messages, control requests and answers; at its end nobody answers any more. */
function openStream(host: HostAsker): StreamInput {
  return createStreamInput(process.stdin, (record) =>
    record === undefined ? host.close() : host.answer(record),
  )
}

/** Opens the session; what is wrong with its options is one line for the user. */
async function open(
  args: CliArguments,
  prompt: string | AsyncIterable<UserInput>,
  host: HostAsker,
): Promise<Query | undefined> {
  const canUseTool = args.permissionPromptTool === 'stdio' ? host.canUseTool : undefined
  try {
    const options = await toQueryOptions(args, { isHeadless: true, canUseTool })
    if (args.outputFormat !== 'stream-json')
      for (const notice of options.settings?.notices ?? []) warn(notice)
    return query({ prompt, options })
  } catch (error) {
    process.stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`)
    return undefined
  }
}

interface Watch {
  readonly signals: SignalWatch
  /** The reader sees no records, so it is told by the way why nothing happens. */
  readonly isPlain: boolean
}

/** Passes every event on; tells whether the last result was an error. */
async function pass(running: Query, sink: Sink, { signals, isPlain }: Watch): Promise<boolean> {
  let isError = false
  try {
    for await (const event of running) {
      signals.saw(event)
      if (signals.isSilent) continue
      if (isPlain && event.type === 'system' && event.subtype === 'api_retry') warn(describeRetry(event))
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

function warn(text: string): void {
  process.stderr.write(`Warning: ${text}\n`)
}
