import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import type { QueryOptions } from '@x/session'
import type { CliArguments } from './arguments.ts'

/**
 * Turns the command line into the options of a session.
 *
 * @throws TypeError for a folder that does not exist.
 */
export function toQueryOptions(args: CliArguments): QueryOptions {
  const { debug, addDir, allowedTools, disallowedTools, includePartialMessages, replayUserMessages } = args
  return {
    cwd: process.cwd(),
    env: process.env,
    additionalDirectories: addDir.map(toExistingFolder),
    allowedTools,
    disallowedTools,
    includePartialMessages,
    replayUserMessages,
    ...pick(args, [
      'model',
      'fallbackModel',
      'maxTurns',
      'maxBudgetUsd',
      'systemPrompt',
      'appendSystemPrompt',
    ]),
    ...pick(args, ['tools', 'permissionMode', 'sessionId']),
    ...(debug || ['1', 'true'].includes(process.env['CLAUDE_CODE_DEBUG'] ?? '')
      ? { debug: (line: string) => void process.stderr.write(`${line}\n`) }
      : {}),
  }
}

/** The fields that are set. */
function pick<Source extends object, Key extends keyof Source>(
  source: Source,
  keys: readonly Key[],
): Pick<Source, Key> {
  const set = keys.filter((key) => source[key] !== undefined).map((key) => [key, source[key]] as const)
  // Object.fromEntries forgets which keys it was given.
  return Object.fromEntries(set) as Pick<Source, Key>
}

function toExistingFolder(folder: string): string {
  const path = resolve(folder)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path
  throw new TypeError(`--add-dir: ${folder} is no folder`)
}
