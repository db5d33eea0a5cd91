import { basename, join } from 'node:path'
import { z } from 'zod'
import { readJsonFile } from './read-json-file.ts'

/** One or several paths, or the configuration itself. */
const places = z.union([z.string(), z.array(z.string()), z.looseObject({})]).optional()

const manifest = z.looseObject({
  name: z.string().trim(),
  agents: z.union([z.string(), z.array(z.string())]).optional(),
  hooks: places,
  mcpServers: places,
})

/** What `.claude-plugin/plugin.json` says; what else stands there is for others. */
export type PluginManifest = z.output<typeof manifest>

/** The manifest, or why the plugin cannot be used. */
export type ManifestReading =
  | { readonly ok: true; readonly manifest: PluginManifest }
  | { readonly ok: false; readonly why: string }

/** Names become parts of the names of agents, tools and folders. */
const goodName = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

/** Reads the manifest of a plugin. Without one the folder gives the name. */
export async function readManifest(root: string): Promise<ManifestReading> {
  const path = join(root, '.claude-plugin', 'plugin.json')
  const file = await readJsonFile(path)
  if (file.type === 'unreadable') return { ok: false, why: `${path} cannot be read: ${file.why}` }
  if (file.type === 'missing') return { ok: true, manifest: { name: toName(basename(root)) } }
  const parsed = manifest.safeParse(file.value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue === undefined || issue.path.length === 0 ? 'it' : `"${issue.path.join('.')}"`
    return { ok: false, why: `${path} is no manifest: ${where} is wrong (${issue?.message ?? 'unknown'})` }
  }
  const { name } = parsed.data
  if (goodName.test(name)) return { ok: true, manifest: parsed.data }
  return { ok: false, why: `${path}: "name" must be letters, digits, "-", "_" and ".", at most 64` }
}

function toName(folder: string): string {
  const name = folder.replaceAll(/[^A-Za-z0-9_.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  return name === '' ? 'plugin' : name.slice(0, 64)
}
