import process from 'node:process'
import { type Query, query, type UserInput } from '@x/session'
import type { CliArguments } from './arguments.ts'
import { createSink, type Sink } from './output/sink.ts'
import { createWriter, type Writer } from './output/writer.ts'
import { toQueryOptions } from './query-options.ts'
import { readPrompt } from './read-prompt.ts'
import { type SignalWatch, watchSignals } from './signals.ts'
import { createStreamInput, type StreamInput } from './stream-input.ts'

/** Runs one prompt, or a stream of them, without a person at the screen; resolves with the exit code. */
export async function runHeadless(args: CliArguments): Promise<number> {
  const stream = args.inputFormat === 'stream-json' ? createStreamInput(process.stdin) : undefined
  const prompt = stream?.prompt ?? (await readPromptText(args.prompt))
  const running = prompt === undefined ? undefined : open(args, prompt)
  if (running === undefined) return 1
  const writer = createWriter(process.stdout)
  connect(stream, running, writer)
  void writer.gone.then(() => running.close())
  using signals = watchSignals(running)
  const isError = await pass(running, createSink(args, writer), signals)
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

/** Opens the session; what is wrong with its options is one line for the user. */
function open(args: CliArguments, prompt: string | AsyncIterable<UserInput>): Query | undefined {
  try {
    return query({ prompt, options: toQueryOptions(args) })
  } catch (error) {
    process.stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`)
    return undefined
  }
}

function connect(stream: StreamInput | undefined, running: Query, writer: Writer): void {
  stream?.connect(running, (response) => writer.write(`${JSON.stringify(response)}\n`))
}

/** Passes every event on; tells whether the last result was an error. */
async function pass(running: Query, sink: Sink, signals: SignalWatch): Promise<boolean> {
  let isError = false
  try {
    for await (const event of running) {
      if (signals.isSilent) continue
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
