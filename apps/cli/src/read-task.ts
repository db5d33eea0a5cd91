import process from 'node:process'
import type { UserInput } from '@x/session'
import { readLastRecord } from '@x/transcript'
import type { CliArguments } from './arguments.ts'
import { readPrompt } from './read-prompt.ts'
import { findResumed } from './sessions/find-resumed.ts'

/** What a run has to do. */
export interface Task {
  /** What the person says. Without a word the session only goes on with the call that was put off when it ended. */
  readonly prompt: string | AsyncIterable<UserInput>
  /** What to say where there turns out to be nothing to do. */
  readonly ifNothing?: string
}

/**
 * Reads what is to be done; undefined where that is nothing, and why is told. A warning is told, too.
 *
 * @throws Error for a session that is to go on and is not there.
 */
export async function readTask(args: CliArguments, isLive = false): Promise<Task | undefined> {
  const prompt = await readPrompt(args.prompt, process.stdin, isLive)
  if (!prompt.ok && prompt.isMissing === true && (await hasDeferredCall(args)))
    return { prompt: silence(), ifNothing: prompt.error }
  const told = prompt.ok ? prompt.warning : prompt.error
  if (told !== undefined) process.stderr.write(`${told}\n`)
  return prompt.ok ? { prompt: prompt.text } : undefined
}

/** The exit code for the last result; where there was none, and nothing to do after all, that is told. */
export function toExitCode(isError: boolean | undefined, ifNothing: string | undefined): number {
  if (isError !== undefined) return isError ? 1 : 0
  if (ifNothing === undefined) return 0
  process.stderr.write(`${ifNothing}\n`)
  return 1
}

async function* silence(): AsyncGenerator<UserInput, void> {}

/** Whether the session ended with a call that a hook put off. A copy does not go on with it. */
async function hasDeferredCall(args: CliArguments): Promise<boolean> {
  if (args.forkSession || !args.sessionPersistence) return false
  const found = await findResumed(args, process.cwd())
  if (found === undefined) return false
  const last = await readLastRecord(found.path, 'result')
  return last?.['deferred_tool_use'] !== undefined
}
