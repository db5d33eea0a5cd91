import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createHooks,
  type HookEventName,
  type HookInput,
  type HookResult,
  type HookSource,
  type HooksOptions,
} from '@x/hooks'

/** A new temporary folder; `using` removes it. */
export function temporaryFolder(): { path: string; file: (name: string) => string } & Disposable {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'hooks-')))
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** What a command writes and how it ends. */
export interface Script {
  readonly out?: string | object
  readonly err?: string
  readonly exit?: number
  readonly sleep?: number
}

/** A command line that reads its input, writes and ends. */
function script({ out = '', err = '', exit = 0, sleep = 0 }: Script): string {
  const stdout = typeof out === 'string' ? out : JSON.stringify(out)
  const steps = [
    ...(sleep > 0 ? [`sleep ${sleep}`] : ['cat >/dev/null']),
    ...(stdout === '' ? [] : [`printf %s ${quote(stdout)}`]),
    ...(err === '' ? [] : [`printf %s ${quote(err)} >&2`]),
    `exit ${exit}`,
  ]
  return steps.join('; ')
}

/** A handler with that command line. */
export function command(what: Script | string, more: object = {}): object {
  return { type: 'command', command: typeof what === 'string' ? what : script(what), ...more }
}

/** A value as one word of a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Runs handlers at an event. */
// oxlint-disable-next-line max-params -- the four things every test says
export async function runHooks<Event extends HookEventName>(
  event: Event,
  input: HookInput<Event>,
  handlers: readonly object[],
  options: HooksOptions & { readonly signal?: AbortSignal } = {},
): Promise<HookResult<Event>> {
  const { signal, ...rest } = options
  await using hooks = createHooks([{ hooks: { [event]: [{ hooks: handlers }] } }], rest)
  return await hooks.run(event, input, signal === undefined ? {} : { signal })
}

/** Runs handlers before a call of Bash. */
export function beforeBash(
  handlers: readonly object[],
  options: HooksOptions & { readonly signal?: AbortSignal } = {},
): Promise<HookResult<'PreToolUse'>> {
  return runHooks('PreToolUse', bash('ls'), handlers, options)
}

/** The input of a call of Bash. */
export function bash(line: string): HookInput<'PreToolUse'> {
  return { tool_name: 'Bash', tool_input: { command: line }, tool_use_id: 'toolu_1' }
}

/** How many handlers of a configuration ran. */
export async function countRuns<Event extends HookEventName>(
  event: Event,
  input: HookInput<Event>,
  sources: readonly HookSource[],
): Promise<number> {
  await using hooks = createHooks(sources)
  return (await hooks.run(event, input)).handlers.length
}

/** A call's answer in the documented spelling. */
export function decide(permissionDecision: string, more: object = {}): object {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more } }
}

/** Ids of living processes with this text in their command line. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(
      (pid) => pid > 0 && pid !== process.pid && isLiving(pid) && read(`/proc/${pid}/cmdline`).includes(text),
    )
}

function isLiving(pid: number): boolean {
  return /^\d+ \(.*\) [^ZX]/s.test(read(`/proc/${pid}/stat`))
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
