import { resolve } from 'node:path'
import process from 'node:process'
import { type Query, type QueryOptions, query, type UserInput } from '@x/session'
import type { CliArguments } from './arguments.ts'
import { findStartPlace, type StartPlace } from './place/start-place.ts'
import { StoppedBySignal } from './place/stopped-by-signal.ts'
import { printError } from './print.ts'
import { type RunFacts, toQueryOptions } from './query-options.ts'

/** A session that is open, or the exit code of a start that failed; why is told already. */
export type OpenedRun =
  | { readonly type: 'open'; readonly running: Query; readonly place: StartPlace }
  | { readonly type: 'failed'; readonly exitCode: number }

/** How a session is opened. */
export interface OpenRunOptions {
  readonly prompt: string | AsyncIterable<UserInput>
  readonly isHeadless: boolean
  /** Whom to ask, once the folder is known. */
  readonly asks?: (cwd: string) => Pick<RunFacts, 'askForTrust' | 'canUseTool'>
  /** Yield the raw events of the model's stream too, whatever the command line says. */
  readonly includePartialMessages?: boolean
  /** Writes what hooks send to the terminal. @default there is none */
  readonly terminal?: QueryOptions['terminal']
}

/** Opens the session of a command line; what is wrong with it is one line for the user. */
export async function openRun(given: CliArguments, options: OpenRunOptions): Promise<OpenedRun> {
  const { isHeadless, asks } = options
  const args = withPathsFromHere(given)
  let place: StartPlace | undefined
  try {
    const found = await findStartPlace(args, isHeadless)
    place = found.place
    const facts = { isHeadless, cwd: place.cwd, resume: found.resume, ...asks?.(place.cwd) }
    const { notices: told = [], ...settled } = await toQueryOptions(args, facts)
    const notices = [...place.notices, ...told]
    const where = place.worktree && { worktree: place.worktree }
    return { type: 'open', running: start({ ...settled, ...where, notices }, options), place }
  } catch (error) {
    await place?.leave('undo')
    if (error instanceof StoppedBySignal) return { type: 'failed', exitCode: error.exitCode }
    process.stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`)
    return { type: 'failed', exitCode: 1 }
  }
}

/** Files of the command line are meant from where it was typed, wherever the session starts. */
function withPathsFromHere(args: CliArguments): CliArguments {
  const toPath = (text: string): string => (text.trimStart().startsWith('{') ? text : resolve(text))
  return {
    ...args,
    mcpConfig: args.mcpConfig.map(toPath),
    ...(args.settings !== undefined && { settings: toPath(args.settings) }),
  }
}

function start(settled: QueryOptions, { prompt, includePartialMessages, terminal }: OpenRunOptions): Query {
  try {
    return query({
      prompt,
      options: {
        ...settled,
        ...(includePartialMessages && { includePartialMessages }),
        ...(terminal && { terminal }),
      },
    })
  } catch (error) {
    // A session that begins tells them itself.
    const warnings = (settled.notices ?? []).filter(({ level }) => level === 'warning')
    for (const text of [...warnings.map(({ content }) => content), ...(settled.settings?.notices ?? [])])
      printError(`Warning: ${text}`)
    throw error
  }
}
