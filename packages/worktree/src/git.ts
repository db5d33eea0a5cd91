import { type ProcessResult, runProcess } from '@x/process'
import { gitEnvironment } from './git-environment.ts'

/** Runs git once. Rejects only with the reason of the signal; every other end is a value. */
export type Git = (args: readonly string[], call: GitCall) => Promise<GitOutcome>

/** Where and how one git command runs. */
export interface GitCall {
  /** The working folder. */
  readonly cwd: string
  /** Ends it. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds it may take. @default 120_000 */
  readonly timeoutMs?: number
  /** Text for its standard input. @default empty */
  readonly stdin?: string
}

/** What git said. */
export type GitOutcome =
  | {
      /** Exit code 0. */
      readonly ok: true
      /** All of its standard output. */
      readonly stdout: string
    }
  | {
      /** It did not do what it was asked. */
      readonly ok: false
      /** No git, no such folder, an exit code, its time was up, or it said more than fits in memory. */
      readonly problem: 'git-missing' | 'folder-missing' | 'git-failed' | 'timed-out' | 'too-much'
      /** The exit code, if it had one. */
      readonly exitCode?: number
      /** The last lines of what it said, or what was in the way. */
      readonly message: string
    }

/** Options of `createGit`. */
export interface GitOptions {
  /** The environment it runs in; variables that point git somewhere else are taken out. @default the process's */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The program. @default 'git' */
  readonly command?: string
}

const TIMEOUT_MS = 120_000
/** Milliseconds for what writes a whole checkout. */
export const CHECK_OUT_MS = 1_800_000
const MAX_BYTES = 64 * 1_048_576

/**
 * Settings that count for every command. No hook of the repository runs, for one is a program that nobody approved; no file
 * system monitor or cache answers in place of the files; nothing is left running in the background.
 */
const settings = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.checkStat', 'default'],
  ['core.trustctime', 'true'],
  ['core.quotePath', 'false'],
  ['core.longpaths', 'true'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['advice.detachedHead', 'false'],
  ['log.showSignature', 'false'],
  ['submodule.recurse', 'false'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`])

/** Makes the function that runs git, with a clean environment, without hooks, questions or background work. */
export function createGit({ env, command = 'git' }: GitOptions = {}): Git {
  return async (args, { cwd, signal, timeoutMs = TIMEOUT_MS, stdin }) => {
    const result = await runProcess(command, [...settings, ...args], {
      cwd,
      env: gitEnvironment(env ?? process.env),
      timeoutMs,
      output: { to: 'memory', maxBytes: MAX_BYTES },
      ...(signal === undefined ? {} : { signal }),
      ...(stdin === undefined ? {} : { stdin }),
    })
    return toOutcome(result, `git ${args[0]}`)
  }
}

function toOutcome({ exit, stdout, stderr }: ProcessResult, what: string): GitOutcome {
  switch (exit.kind) {
    case 'aborted':
      throw exit.reason
    case 'timed-out':
      return failed('timed-out', `${what} took longer than ${exit.timeoutMs} ms`)
    case 'failed-to-start':
      return failedToStart(exit)
    case 'exited':
      break
    default:
      return failed('git-failed', `${what} was ended (${exit.kind})`)
  }
  if (exit.code !== 0) {
    const message = lastLines(stderr.text) || `${what} ended with ${exit.code}`
    return { ...failed('git-failed', message), exitCode: exit.code }
  }
  if (stdout.omittedBytes > 0) return failed('too-much', `${what} said more than ${MAX_BYTES} bytes`)
  return { ok: true, stdout: stdout.text }
}

type GitFailure = Extract<GitOutcome, { readonly ok: false }>

function failedToStart({ problem, message }: { problem: string; message: string }): GitFailure {
  if (problem === 'command-missing') return failed('git-missing', 'git is not installed, or not on the PATH')
  return failed(problem === 'cwd-missing' ? 'folder-missing' : 'git-failed', message)
}

function failed(problem: GitFailure['problem'], message: string): GitFailure {
  return { ok: false, problem, message }
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join('\n')
}
