import { mkdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { HookSource } from '@x/hooks'
import type { McpPluginConfig } from '@x/tools-mcp'
import { stateFolder } from '../state-folder.ts'
import type { LoadedPlugins, Plugin, PluginProblem } from './plugin.ts'
import { type PluginManifest, readManifest } from './plugin-manifest.ts'
import { isWithin, pathsIn, readParts } from './plugin-parts.ts'

/** How plugins are loaded. */
export interface LoadPluginsOptions {
  /** Where the state folder is looked up, below which plugins keep their data. @default the process's */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * Loads plugins from their folders, absolute paths: `.claude-plugin/plugin.json` if there is one, `agents/`, `skills/`,
 * `hooks/hooks.json` and `.mcp.json`. Of two with one name the first counts. Rejects for nothing that stands in files.
 *
 * @example
 * const plugins = await loadPlugins(['/home/me/review-plugin'])
 * const { definitions } = await loadAgents({ cwd, plugins: plugins.plugins.map(({ agents }) => agents) })
 * query({ prompt, options: { cwd, plugins, agentDefinitions: definitions } })
 */
export async function loadPlugins(
  folders: readonly string[],
  { env = process.env }: LoadPluginsOptions = {},
): Promise<LoadedPlugins> {
  const plugins = new Map<string, Plugin>()
  const problems: PluginProblem[] = []
  for (const folder of folders) {
    const loaded = await loadPlugin(folder, env)
    problems.push(...loaded.problems)
    const { plugin } = loaded
    const first = plugin && plugins.get(plugin.name)
    if (first !== undefined && first.root !== plugin?.root) {
      const message = `There is a plugin of this name already, in ${first.root}; the one in ${folder} is ignored.`
      problems.push({ plugin: first.name, type: 'not-loaded', message })
    } else if (plugin !== undefined) plugins.set(plugin.name, plugin)
  }
  return { plugins: [...plugins.values()], problems }
}

interface OneLoaded {
  readonly plugin?: Plugin
  readonly problems: readonly PluginProblem[]
}

async function loadPlugin(folder: string, env: LoadPluginsOptions['env'] = {}): Promise<OneLoaded> {
  const isFolder = await stat(folder).then(
    (facts) => facts.isDirectory(),
    () => false,
  )
  const refuse = (message: string): OneLoaded => ({
    problems: [{ plugin: folder, type: 'not-loaded', message }],
  })
  if (!isFolder) return refuse(`${folder} is no folder.`)
  const root = await realpath(folder)
  const read = await readManifest(root)
  if (!read.ok) return refuse(`${read.why}.`)
  const { manifest } = read
  const problems: PluginProblem[] = []
  const leaveOut = (message: string): void =>
    void problems.push({ plugin: manifest.name, type: 'left-out', message: `${message}.` })
  const data = join(stateFolder(env), 'plugins', 'data', manifest.name)
  const plugin = await readPlugin({ manifest, root, data, leaveOut })
  return { plugin, problems }
}

interface PluginPlace {
  readonly manifest: PluginManifest
  readonly root: string
  /** What the plugin may keep, over its own updates. */
  readonly data: string
  readonly leaveOut: (message: string) => void
}

async function readPlugin(place: PluginPlace): Promise<Plugin> {
  const { manifest, root, data } = place
  const hooks = await readHooks(place)
  const mcp = await readServers(place)
  // Programs of the plugin are told of the folder; where it cannot be made, they find out themselves.
  if (hooks.length + mcp.length > 0) await mkdir(data, { recursive: true }).catch(() => undefined)
  return { name: manifest.name, root, agents: readAgents(place), hooks, mcp }
}

function readAgents({ manifest: { name, agents }, root, leaveOut }: PluginPlace): Plugin['agents'] {
  const usual = join(root, 'agents')
  const more = pathsIn(root, agents, leaveOut).filter((path) => !isWithin(usual, path))
  return { name, folder: root, ...(more.length > 0 && { more }) }
}

async function readHooks({ manifest, root, data, leaveOut }: PluginPlace): Promise<readonly HookSource[]> {
  const usual = join('hooks', 'hooks.json')
  const parts = await readParts({ root, usual, said: manifest.hooks, leaveOut })
  const plugin = { name: manifest.name, root, data }
  return parts.map(({ value, file }) => ({
    hooks: withoutDescription(value),
    origin: 'plugin',
    file,
    plugin,
  }))
}

/** The one other key that the format has; without the `hooks` around them it would be taken for an event. */
function withoutDescription(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { description: _description, ...hooks } = value as Readonly<Record<string, unknown>>
  return hooks
}

async function readServers({
  manifest,
  root,
  data,
  leaveOut,
}: PluginPlace): Promise<readonly McpPluginConfig[]> {
  const parts = await readParts({ root, usual: '.mcp.json', said: manifest.mcpServers, leaveOut })
  const env = { CLAUDE_PLUGIN_ROOT: root, CLAUDE_PLUGIN_DATA: data }
  return parts.map(({ value, file }) => ({ plugin: manifest.name, value, file, env }))
}
