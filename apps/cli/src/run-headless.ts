import process from 'node:process'
import type { CanUseToolCallback } from '@x/permissions'
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
  const canUseTool = args.permissionPromptTool === undefined ? undefined : host.canUseTool
  const running = prompt === undefined ? undefined : await open(args, prompt, canUseTool)
  if (running === undefined) return 1
  connect(stream, running, writer)
  void writer.gone.then(() => running.close())
  using signals = watchSignals(running)
  const isError = await pass(running, createSink(args, writer), {
    signals,
    isPlain: args.outputFormat !== 'stream-json',
  })
  await writer.flush()
  // A source that nobody reads any more must not keep the process.
  process.stdin.destroy()
  const hasProblem = reportProblem(stream)
  return signals.exitCode ?? (isError || hasProblem ? 1 : 0)
}

/** Says what was wrong with the input; tells whether anything was. */
function reportProblem(stream: StreamInput | undefined): boolean {
  if (stream?.problem === undefined) return false
  process.stderr.write(`${stream.problem}\n`)
  return true
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
  canUseTool: CanUseToolCallback | undefined,
): Promise<Query | undefined> {
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

function connect(stream: StreamInput | undefined, running: Query, writer: Writer): void {
  stream?.connect(running, (response) => writer.write(`${JSON.stringify(response)}\n`))
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
