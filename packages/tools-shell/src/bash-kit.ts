import { resolve } from 'node:path'
import type { ShellAnalysis } from '@x/shell-analysis'
import { createAnalysisCache } from './analysis-cache.ts'
import type { Environment } from './command-environment.ts'
import { findShell, type Shell } from './find-shell.ts'
import type { BashSettings } from './options.ts'
import { createStartupSnapshot, type StartupSnapshot } from './startup-snapshot.ts'

/** What all commands of one tool share. Nothing is made before it is needed. */
export interface BashKit {
  /** Options with their defaults. */
  readonly settings: BashSettings
  /** What a command would do, from its text. */
  readonly analyze: (command: string) => ShellAnalysis
  /** The shell for this environment. */
  shell(env: Environment): Shell
  /** The folder for files of output. */
  outputFolder(): Promise<string>
  /** The file with the user's functions, aliases and options; '' while there is none. */
  snapshotFile: StartupSnapshot
}

/** Makes the things that all commands of one tool share. */
export function createBashKit(settings: BashSettings): BashKit {
  let shell: Shell | undefined
  let folder: Promise<string> | undefined
  const outputFolder = (): Promise<string> => {
    folder ??= makeFolder(settings).catch((error: unknown) => {
      folder = undefined
      throw error
    })
    return folder
  }
  return {
    settings,
    analyze: createAnalysisCache(),
    shell: (env) => (shell ??= findShell(settings.shell, env)),
    outputFolder,
    snapshotFile: createStartupSnapshot(settings, outputFolder),
  }
}

/** Absolute, whatever was given: the commands write into it from their own folders. */
async function makeFolder({ outputFolder, operations }: BashSettings): Promise<string> {
  if (outputFolder === undefined) return resolve(await operations.makeTemporaryFolder())
  const folder = resolve(outputFolder)
  await operations.makeFolder(folder)
  return folder
}
