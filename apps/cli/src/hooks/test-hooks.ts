import process from 'node:process'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { type HookEventName, type HookInput, type HookResult, hookEvents, isHookEventName } from '@x/hooks'
import { loadSessionSettings, openSessionHooks } from '@x/session'
import { loadCliPlugins } from '../load-cli-plugins.ts'
import { print, printError } from '../print.ts'
import { readNamedFile } from '../read-named-file.ts'
import { stopOnSignals } from './stop-on-signals.ts'
import { usage } from './usage.ts'

/** Runs the hooks of one event on one input and prints what they come to; the exit code says it too. */
export async function testHooks(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      event: { type: 'string' },
      input: { type: 'string' },
      json: { type: 'boolean' },
      settings: { type: 'string' },
      'plugin-dir': { type: 'string', multiple: true, default: [] },
    },
  })
  const event = readEvent(values.event)
  const input = await readInput(values.input)
  const flag = values.settings === undefined ? {} : { flagSettings: values.settings }
  const settings = await loadSessionSettings({ cwd: process.cwd(), isHeadless: true, ...flag })
  using stopping = stopOnSignals()
  const plugins = await loadCliPlugins(values['plugin-dir'])
  await using hooks = openSessionHooks({ cwd: process.cwd(), settings, ...(plugins && { plugins }) })
  for (const notice of settings.notices) printError(`Warning: ${notice}`)
  for (const { message } of hooks.problems) printError(`Warning: ${message}`)
  // The one edge: what a field lacks or has too much, the hooks themselves may judge.
  const result = await hooks.run(event, input as HookInput<HookEventName>, { signal: stopping.signal })
  const report = toReport(result)
  if (values.json === true) process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`)
  else print(toText(report))
  return stopping.exitCode ?? exitCodeOf(result)
}

/** As a hook itself would put it: 2 refuses, 1 is a failure that stops nothing; 3 leaves it to a person or to later. */
function exitCodeOf({ outcome, stop, errors }: HookResult): number {
  if (outcome === 'deny' || outcome === 'block' || stop !== undefined) return 2
  if (errors.length > 0) return 1
  return outcome === 'ask' || outcome === 'defer' ? 3 : 0
}

function readEvent(name: string | undefined): HookEventName {
  if (name !== undefined && isHookEventName(name)) return name
  const known = Object.keys(hookEvents).join(', ')
  throw new TypeError(
    name === undefined ? `Name an event.\n${usage}` : `There is no event ${name}. Known: ${known}`,
  )
}

async function readInput(source: string | undefined): Promise<Record<string, unknown>> {
  if (source === undefined) return {}
  const content = source === '-' ? await text(process.stdin) : await readNamedFile(source)
  const value: unknown = parse(content, source)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`The input must be a JSON object (${source}).`)
  }
  return { ...value }
}

function parse(content: string, source: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new TypeError(`The input is not JSON (${source}): ${why}`, { cause: error })
  }
}

/** What is printed: every part of the merged outcome under the name that people know. */
function toReport(result: HookResult) {
  const { updatedInput, updatedOutput, stop, envText } = result
  return {
    event: result.event,
    outcome: result.outcome,
    ...(result.reason === undefined ? {} : { reason: result.reason }),
    context: result.context,
    feedback: result.feedback,
    systemMessages: result.systemMessages,
    ...(updatedInput === undefined ? {} : { updatedInput }),
    ...(updatedOutput === undefined ? {} : { updatedOutput: updatedOutput.value }),
    continue: stop === undefined,
    ...(stop === undefined ? {} : { stopReason: stop.reason }),
    fields: result.fields,
    errors: result.errors,
    ...(envText === undefined || envText === '' ? {} : { envFile: envText }),
    handlers: result.handlers.map(
      ({ label, type, origin, outcome, exitCode, stdout, stderr, durationMs, error }) => ({
        handler: label,
        type,
        source: origin,
        outcome,
        ...(exitCode === undefined ? {} : { exitCode }),
        stdout,
        stderr,
        durationMs: Math.round(durationMs),
        ...(error === undefined ? {} : { error }),
      }),
    ),
  }
}

type Report = ReturnType<typeof toReport>

function toText(report: Report): string {
  const { handlers, event, outcome, ...rest } = report
  const ran = handlers.map((one) => {
    const status = one.exitCode === undefined ? '' : `, exit ${one.exitCode}`
    return `  ${one.type} [${one.handler}] ${one.outcome}${status}, ${one.durationMs} ms`
  })
  const facts = Object.entries(rest).flatMap(([name, value]) =>
    isEmpty(name, value) ? [] : [`${name}: ${show(value)}`],
  )
  const head =
    ran.length === 0
      ? [`${event}: no handler is meant by this input`]
      : [`${event}: ${ran.length} ran`, ...ran]
  return [...head, `outcome: ${outcome}`, ...facts].join('\n')
}

function isEmpty(name: string, value: unknown): boolean {
  if (name === 'continue') return value === true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function show(value: unknown): string {
  if (typeof value === 'string') return value
  const lines =
    Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : [JSON.stringify(value)]
  return lines.join('\n  ')
}
