import { join } from 'node:path'
import { type AgentPlugin, listAgentFolders } from '../agent-folders.ts'
import { userFolders } from '../load-agents.ts'
import { type LoadedSkill, parseSkill } from './parse-skill.ts'
import { type ReadSkillFile, readSkillFile } from './read-skill-file.ts'

/** Where skills are looked for. */
export interface LoadSkillOptions {
  /** The folder the session starts in. */
  readonly cwd: string
  /** The user's home folder. @default os.homedir() */
  readonly home?: string
  /** Absolute paths of further working folders that may bring skills. @default [] */
  readonly additionalDirectories?: readonly string[]
  /** Plugins that may bring skills. @default [] */
  readonly plugins?: readonly AgentPlugin[]
  /** `CLAUDE_CONFIG_DIR` and `X_HOME` are read from it. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Reads a file. @default at most 100,000 bytes of UTF-8, links followed */
  readonly readFile?: ReadSkillFile
  /** Ends the search; it then rejects with the reason. @default never */
  readonly signal?: AbortSignal
}

/**
 * Finds a skill by the name of its folder: `skills/NAME/SKILL.md` in the user's configuration folders, in `.x` and `.claude` of each folder
 * from the session's up to the repository root, then in those of further working folders; `PLUGIN:NAME` in that plugin alone. The first file that is there counts: one that
 * cannot be read hides those behind it. Rejects only after an abort.
 */
export async function loadSkill(name: string, options: LoadSkillOptions): Promise<LoadedSkill> {
  const { readFile = readSkillFile, signal } = options
  signal?.throwIfAborted()
  const plugin = options.plugins?.find((one) => name.startsWith(`${one.name}:`))
  const folderName = plugin === undefined ? name : name.slice(plugin.name.length + 1)
  if (!isFolderName(folderName)) return { ok: false, reason: 'this is not the name of a folder' }
  const folders = plugin === undefined ? await listSkillFolders(options) : [join(plugin.folder, 'skills')]
  for (const folder of folders) {
    const path = join(folder, folderName, 'SKILL.md')
    const file = await readFile(path, signal)
    if (file.type === 'text') return parseSkill(file.text, { name, path })
    if (file.type === 'unreadable') return { ok: false, reason: `${path} cannot be read: ${file.why}` }
  }
  return { ok: false, reason: 'there is no such skill' }
}

/** A name is no way to another place. */
function isFolderName(name: string): boolean {
  return name !== '' && name !== '.' && !name.includes('..') && !/[/\\\0]/.test(name)
}

/** The user's own come first: no project puts another skill in the place of one the user knows. */
async function listSkillFolders(options: LoadSkillOptions): Promise<readonly string[]> {
  const { cwd, additionalDirectories = [], env = process.env } = options
  const folders = await listAgentFolders({
    cwd,
    userFolders: userFolders(options, env),
    additionalDirectories,
    plugins: [],
    holds: 'skills',
  })
  const isUsers = ({ source }: { readonly source: string }): boolean => source === 'user'
  const ranked = [...folders.filter(isUsers), ...folders.filter((folder) => !isUsers(folder))]
  return ranked.map(({ path }) => path)
}
