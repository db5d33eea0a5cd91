import process from 'node:process'
import { type CliArguments, parseArguments } from './arguments.ts'

/** Runs the command line to its end; resolves with the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  if (argv[0] === 'demo') {
    const { runDemo } = await import('./demo/run-demo.ts')
    return runDemo()
  }
  const parsed = parseArguments(argv)
  if (parsed.kind === 'exit') {
    process.stdout.write(parsed.stdout)
    process.stderr.write(parsed.stderr)
    return parsed.code
  }
  const { args } = parsed
  const problem = findConflict(args)
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`)
    return 1
  }
  if (args.print || !process.stdout.isTTY) {
    const { runHeadless } = await import('./run-headless.ts')
    return runHeadless(args)
  }
  const { runLive } = await import('./run-live.ts')
  return runLive(args)
}

/** Flags that contradict each other. */
function findConflict({
  print,
  outputFormat,
  inputFormat,
  verbose,
  includePartialMessages,
}: CliArguments): string | undefined {
  if (print && outputFormat === 'stream-json' && !verbose) {
    return 'Error: When using --print, --output-format=stream-json requires --verbose'
  }
  if (inputFormat === 'stream-json' && outputFormat !== 'stream-json') {
    return 'Error: --input-format=stream-json requires --output-format=stream-json'
  }
  if (includePartialMessages && outputFormat !== 'stream-json') {
    return 'Error: --include-partial-messages requires --output-format=stream-json'
  }
  return undefined
}
