import process from 'node:process'
import { withoutUndefined } from '@x/contract'
import { type Plugin, stateFolder } from '@x/session'
import { createTrustStore, managedSettingsFolder, type SettingSource } from '@x/settings'
import { type LoadedAgents, loadAgents } from '@x/subagent'
import { environmentWith } from '../environment.ts'

/** Which agents are loaded. */
export interface CliAgentsOptions {
  /** The folder the session starts in. */
  readonly cwd: string
  /** Absolute paths of further working folders. @default none */
  readonly additionalDirectories?: readonly string[]
  /** Plugins with agents. @default none */
  readonly plugins?: readonly Plugin[]
  /** What `--agents` says. */
  readonly flagAgents?: string | undefined
  /** Which settings files are read; agent files go with them. @default all */
  readonly sources?: readonly SettingSource[] | undefined
  /** Nobody is there to talk to. @default false */
  readonly isHeadless?: boolean
  /** The `env` block of the settings. @default nothing */
  readonly settingsEnv?: Readonly<Record<string, string>>
}

/**
 * Loads the agents that a session in a folder has, with what is wrong with their files.
 *
 * @throws TypeError for `--agents` that is no JSON object.
 */
export async function loadCliAgents(options: CliAgentsOptions): Promise<LoadedAgents> {
  const { cwd, additionalDirectories, plugins = [], flagAgents, sources, isHeadless, settingsEnv } = options
  if (flagAgents !== undefined) assertJsonObject(flagAgents)
  const trust = createTrustStore({ stateFolder: stateFolder(process.env) })
  return loadAgents(
    withoutUndefined({
      cwd,
      env: environmentWith(settingsEnv),
      additionalDirectories,
      plugins: plugins.map(({ agents }) => agents),
      flagAgents,
      managedFolder: managedSettingsFolder(process.env),
      sources: sources?.filter((source) => source !== 'local'),
      isNonInteractive: isHeadless,
      // Hooks and servers of agent files need the folder itself trusted: neither one above it nor -p will do.
      isTrusted: async (folder: string) => (await trust.judge(folder)).state === 'trusted',
    }),
  )
}

function assertJsonObject(text: string): void {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new TypeError(`--agents is not valid JSON: ${why}`, { cause: error })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return
  throw new TypeError('--agents must be a JSON object of agents by name')
}
