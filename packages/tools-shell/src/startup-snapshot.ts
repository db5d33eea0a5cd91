import { randomUUID } from 'node:crypto'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { createTimeoutAbortController, raceAbort } from '@x/abort'
import type { Environment } from './command-environment.ts'
import type { Shell, ShellKind } from './find-shell.ts'
import type { BashOperations } from './operations.ts'
import type { BashSettings } from './options.ts'
import { composeSnapshot, snapshotScripts } from './snapshot-script.ts'

/** Who asks for the snapshot. */
interface SnapshotRequest {
  /** The shell that will read it. */
  readonly shell: Shell
  /** The environment of its commands. */
  readonly env: Environment
  /** Ends the waiting. */
  readonly signal: AbortSignal
}

/** Gives the file with the user's functions, aliases and options; '' while there is none. */
export type StartupSnapshot = (request: SnapshotRequest) => Promise<string>

/**
 * Reads the user's start-up file once, at the first call, in a shell of its own that nobody hears: a banner, an error, `exit`,
 * `set -u` or a long sleep in it never reach a command.
 */
export function createStartupSnapshot(
  settings: BashSettings,
  outputFolder: () => Promise<string>,
): StartupSnapshot {
  let snapshot: Promise<string> | undefined
  let ready: string | undefined
  return async (request) => {
    if (!settings.usesStartupFile) return ''
    snapshot ??= takeSnapshot(settings, outputFolder, request)
      .catch(() => '')
      .then((path) => (ready = path))
    return ready ?? waitAtMost(snapshot, settings.startupWaitMs, request.signal)
  }
}

async function waitAtMost(snapshot: Promise<string>, maxMs: number, signal: AbortSignal): Promise<string> {
  using limit = createTimeoutAbortController(maxMs, { parent: signal })
  return await raceAbort(snapshot, limit.signal).catch(() => '')
}

async function takeSnapshot(
  settings: BashSettings,
  outputFolder: () => Promise<string>,
  { shell, env }: SnapshotRequest,
): Promise<string> {
  const { operations, startupTimeoutMs, signal } = settings
  const script = snapshotScripts[shell.kind]
  const startupFile = await findStartupFile(shell.kind, env, operations)
  if (script === undefined || startupFile === undefined) return ''
  const folder = await outputFolder()
  const dump = join(folder, `${randomUUID()}.dump`)
  const mark = randomUUID()
  const args = [...script.options, '-c', script.text, shell.kind, dump, startupFile, mark]
  const reading = operations.start(shell.path, args, {
    cwd: dirname(startupFile),
    env,
    output: { to: 'file', path: '/dev/null' },
    timeoutMs: startupTimeoutMs,
    ...(signal === undefined ? {} : { signal }),
    // An interactive shell does not hear TERM.
    killGraceMs: 0,
    settleMs: 0,
  })
  await reading.exited
  const text = composeSnapshot(shell.kind, (await operations.readText(dump)) ?? '', mark)
  await operations.remove(dump)
  if (text === '') return ''
  const path = join(folder, `${randomUUID()}.snapshot`)
  await operations.writeText(path, text)
  return path
}

async function findStartupFile(
  kind: ShellKind,
  env: Environment,
  operations: BashOperations,
): Promise<string | undefined> {
  const home = env['HOME'] ?? homedir()
  const candidates: Readonly<Record<ShellKind, readonly string[]>> = {
    bash: ['.bashrc', '.bash_profile', '.profile'].map((name) => join(home, name)),
    zsh: [join(env['ZDOTDIR'] ?? home, '.zshrc')],
    sh: [],
  }
  for (const path of candidates[kind]) {
    // Without a home folder the path would lead into the project, whose files nobody has agreed to run.
    if (isAbsolute(path) && (await operations.look(path))?.isFolder === false) return path
  }
  return undefined
}
