import type { Environment } from './command-environment.ts'
import type { Shell } from './find-shell.ts'
import type { BashSettings } from './options.ts'

/** Gives the file of the snapshot; '' while there is none. */
export type StartupSnapshot = (shell: Shell, env: Environment) => Promise<string>

/** Placeholder until the start-up file is read. */
export function createStartupSnapshot(
  _settings: BashSettings,
  _outputFolder: () => Promise<string>,
): StartupSnapshot {
  return async () => ''
}
