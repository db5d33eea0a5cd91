import { type Deadline, withDeadline } from './deadline.ts'
import type { CommandHandler } from './handler-config.ts'
import { askModel } from './handlers/ask-model.ts'
import { callMcpTool } from './handlers/call-mcp-tool.ts'
import { toCommandLine } from './handlers/command-line.ts'
import { runCommand } from './handlers/run-command.ts'
import { sendRequest } from './handlers/send-request.ts'
import { type HookEnvironment, withPlugin } from './hook-environment.ts'
import type { HooksOptions } from './hooks-options.ts'
import type { LateHooks } from './late-hooks.ts'
import type { Limiter } from './limiter.ts'
import { describeError, type RawRun } from './raw-run.ts'
import type { ConfiguredHook } from './read-hooks.ts'
import type { Occasion } from './select-hooks.ts'

/** What all handlers of one event share. */
export interface Dispatch extends Occasion {
  /** The input as JSON on one line. */
  readonly json: string
  /** The same as a command reads it, with a line feed. */
  readonly stdin: Uint8Array
  /** The folder commands run in. */
  readonly cwd: string
  /** Gives the environment of commands. */
  readonly env: () => HookEnvironment
  /** Cancels all. */
  readonly signal: AbortSignal
  /** What hooks need from outside. */
  readonly options: HooksOptions
  /** Keeps track of what nobody waits for. */
  readonly late: LateHooks
  /** Lets only some questions run at once. */
  readonly limitQuestions: Limiter
}

/** One run of a handler. */
export interface HandlerRun {
  /** What it shares with the others. */
  readonly dispatch: Dispatch
  /** The handler. */
  readonly hook: ConfiguredHook
  /** Milliseconds it may take. */
  readonly timeoutMs: number
  /** Told how it ended, when nobody waited for it. */
  readonly onLate: (raw: RawRun) => void | Promise<void>
}

/** Runs one handler of a configuration, each kind in its own way. */
export async function runHandler(run: HandlerRun): Promise<RawRun> {
  const { dispatch, hook, timeoutMs } = run
  const { event, input, json, options } = dispatch
  const { handler } = hook
  const deadline: Deadline = { signal: dispatch.signal, timeoutMs }
  switch (handler.type) {
    case 'command':
      return handler.async === true || handler.asyncRewake === true
        ? startInBackground(run, handler)
        : runInForeground(run, handler)
    case 'http':
      return withDeadline((signal) => sendRequest({ handler, body: json, options, signal }), deadline)
    case 'mcp_tool':
      return withDeadline((signal) => callMcpTool({ handler, event, input, options, signal }), deadline)
    case 'prompt':
    case 'agent':
      return dispatch.limitQuestions(() =>
        withDeadline((signal) => askModel({ handler, event, json, options, signal }), deadline),
      )
  }
}

/** Nobody waits. Only the variant that wakes the model has a time limit. */
function startInBackground(run: HandlerRun, handler: CommandHandler): RawRun {
  const { late } = run.dispatch
  const timeoutMs = handler.asyncRewake === true ? run.timeoutMs : undefined
  const deadline = { signal: late.signal, timeoutMs, waitsForEnd: true }
  const ending = tellLate(
    run,
    withDeadline((signal) => start(run, handler, { signal }), deadline),
  )
  if (handler.asyncRewake === true) late.addWaking(ending)
  else late.add(ending)
  return { kind: 'background' }
}

/** A command may say on its first line that nobody should wait. Then it no longer ends with the call. */
function runInForeground(run: HandlerRun, handler: CommandHandler): Promise<RawRun> {
  const { dispatch, timeoutMs } = run
  const { late } = dispatch
  const controller = new AbortController()
  const goesOn = Promise.withResolvers<RawRun>()
  const work = (signal: AbortSignal): Promise<RawRun> => {
    const onAsync = (limitMs: number | undefined): void => {
      const deadline = { signal: late.signal, timeoutMs: limitMs, waitsForEnd: true, controller }
      late.add(
        tellLate(
          run,
          withDeadline(() => started, deadline),
        ),
      )
      goesOn.resolve({ kind: 'background' })
    }
    const started = start(run, handler, { signal, onAsync })
    // The deadline does not wait for the end of the tree; whoever closes the hooks does.
    late.add(started)
    return Promise.race([started, goesOn.promise])
  }
  return withDeadline(work, { signal: dispatch.signal, timeoutMs, waitsForEnd: true, controller })
}

async function tellLate(run: HandlerRun, ending: Promise<RawRun>): Promise<void> {
  await run.onLate(await ending)
}

interface Start {
  readonly signal: AbortSignal
  readonly onAsync?: (timeoutMs: number | undefined) => void
}

async function start(run: HandlerRun, handler: CommandHandler, start: Start): Promise<RawRun> {
  const { dispatch, hook } = run
  const { options, cwd, stdin } = dispatch
  const { killGraceMs = 2000 } = options
  try {
    const env = withPlugin(dispatch.env(), hook.plugin)
    const line = toCommandLine(handler, { env, plugin: hook.plugin })
    return await runCommand({ line, cwd, env, stdin, killGraceMs, ...start })
  } catch (error) {
    return { kind: 'failed', message: describeError(error) }
  }
}
