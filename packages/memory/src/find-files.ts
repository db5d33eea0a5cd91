import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { mapLimited } from './map-limited.ts'
import type { MemoryProblem, MemoryType } from './memory-file.ts'
import type { MemoryPlan } from './memory-plan.ts'
import { realPathOf } from './paths.ts'
import { describeProblem } from './problem.ts'
import { describeError, findRealPath, systemCodeOf } from './read-text.ts'

/** A file that is there. */
export interface FoundFile {
  /** As it was named. */
  readonly path: string
  /** Links followed: the file's identity. */
  readonly realPath: string
  readonly memoryType: MemoryType
  /** For a rule: the folder that its patterns start from. */
  readonly ruleBase?: string
}

/** Files, and what kept others from being found. */
export interface FoundFiles {
  readonly files: readonly FoundFile[]
  readonly problems: readonly MemoryProblem[]
}

/** Finds the files of a session's start, in the order in which they are shown. */
export async function findStartFiles(plan: MemoryPlan): Promise<FoundFiles> {
  const parts = await Promise.all([
    plan.managedFile === undefined ? none : findFirst([plan.managedFile], 'Managed'),
    plan.has('user') ? findUserFiles(plan) : none,
    ...[...plan.folders, ...plan.addedFolders].map((folder) => findFolderFiles(plan, folder)),
  ])
  return joinFound(parts)
}

/** Finds the files of one folder: its instructions, its rules, the local ones. */
export async function findFolderFiles(plan: MemoryPlan, folder: string): Promise<FoundFiles> {
  const realFolder = await realPathOf(folder)
  // What stands in the user's own folders is no project's, as the home folder's `.claude` on the way down.
  if (plan.realUserFolders.has(realFolder)) return none
  const [project, local] = await Promise.all([
    plan.has('project') ? findProjectFiles(plan, folder, realFolder) : none,
    plan.has('local') ? findFirst([join(folder, 'CLAUDE.local.md')], 'Local') : none,
  ])
  return joinFound([project, local])
}

const none: FoundFiles = { files: [], problems: [] }

async function findUserFiles({ userFolders, realCwd }: MemoryPlan): Promise<FoundFiles> {
  const named = (name: string): readonly string[] => userFolders.map((folder) => join(folder, name))
  return joinFound(
    await Promise.all([
      findInstructions([named('CLAUDE.md')], named('AGENTS.md'), 'User'),
      findRules(named('rules'), { memoryType: 'User', ruleBase: realCwd }),
    ]),
  )
}

async function findProjectFiles(plan: MemoryPlan, folder: string, realFolder: string): Promise<FoundFiles> {
  const { places, problems } = await findPlaces(plan, folder)
  const wanted = [[join(folder, 'CLAUDE.md')], places.map((place) => join(place, 'CLAUDE.md'))]
  const rules = places.map((place) => join(place, 'rules'))
  return joinFound([
    { files: [], problems },
    ...(await Promise.all([
      findInstructions(wanted, [join(folder, 'AGENTS.md')], 'Project'),
      findRules(rules, { memoryType: 'Project', ruleBase: realFolder }),
    ])),
  ])
}

/** The folders of a project's configuration that are there, the stronger first. */
async function findPlaces(
  plan: MemoryPlan,
  folder: string,
): Promise<{ readonly places: readonly string[]; readonly problems: readonly MemoryProblem[] }> {
  const all = ['.x', '.claude'].map((name) => join(folder, name))
  const found = await Promise.all(all.map(findRealPath))
  const places = all.filter((_place, index) => {
    const one = found[index]
    return one?.kind === 'found' && !plan.realUserFolders.has(one.realPath)
  })
  const problems = all.flatMap((place, index) => {
    const one = found[index]
    return one === undefined || !('why' in one) ? [] : [describeProblem(one.kind, place, one)]
  })
  return { places, problems }
}

/** Of each group the first file that exists; where no group has one, the other file. */
async function findInstructions(
  groups: readonly (readonly string[])[],
  others: readonly string[],
  memoryType: MemoryType,
): Promise<FoundFiles> {
  const found = joinFound(await Promise.all(groups.map((paths) => findFirst(paths, memoryType))))
  return found.files.length + found.problems.length > 0 ? found : findFirst(others, memoryType)
}

async function findFirst(paths: readonly string[], memoryType: MemoryType): Promise<FoundFiles> {
  for (const path of paths) {
    const found = await findRealPath(path)
    if (found.kind === 'found')
      return { files: [{ path, realPath: found.realPath, memoryType }], problems: [] }
    if (found.kind !== 'absent') return { files: [], problems: [describeProblem(found.kind, path, found)] }
  }
  return none
}

/** All rules below some folders, by their names; where two folders have one of the same name, the first folder's counts. */
async function findRules(
  folders: readonly string[],
  facts: Omit<FoundFile, 'path' | 'realPath'>,
): Promise<FoundFiles> {
  const problems: MemoryProblem[] = []
  const byName = new Map<string, string>()
  for (const folder of folders) {
    const walk: RuleWalk = { names: [], problems, visited: new Set() }
    await walkRules(folder, '', walk)
    for (const name of walk.names) if (!byName.has(name)) byName.set(name, join(folder, name))
  }
  // By code units, so that the order is the same in every locale.
  const names = [...byName.keys()].sort()
  const files = await mapLimited(names, async (name) => {
    const path = byName.get(name) ?? name
    return { ...facts, path, realPath: await realPathOf(path) }
  })
  return { files, problems }
}

interface RuleWalk {
  readonly names: string[]
  readonly problems: MemoryProblem[]
  /** Real paths: links may lead in a circle. */
  readonly visited: Set<string>
}

/** How many rules one folder may have. */
const maxRules = 1000

/** Follows links, to folders as well: people share rules between projects that way. */
async function walkRules(root: string, below: string, walk: RuleWalk): Promise<void> {
  const folder = join(root, below)
  const entries = await listFolder(folder, walk.problems)
  if (entries.length === 0) return
  const realPath = await realPathOf(folder)
  if (walk.visited.has(realPath)) return
  walk.visited.add(realPath)
  for (const { name, kind } of entries) {
    const isTooMany = walk.names.length + walk.visited.size > maxRules
    if (isTooMany) {
      const why = { why: `has more than ${maxRules} rules and folders; the rest is left out` }
      if (!walk.problems.some(({ code }) => code === 'too-many'))
        walk.problems.push(describeProblem('too-many', root, why))
      return
    }
    if (kind === 'folder') await walkRules(root, join(below, name), walk)
    else if (name.endsWith('.md')) walk.names.push(join(below, name))
  }
}

async function listFolder(
  folder: string,
  problems: MemoryProblem[],
): Promise<readonly { readonly name: string; readonly kind: 'folder' | 'file' }[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    entries.sort((one, other) => (one.name < other.name ? -1 : 1))
    return await mapLimited(entries, async (entry) => {
      const isFolder = entry.isSymbolicLink()
        ? ((await stat(join(folder, entry.name)).catch(() => undefined))?.isDirectory() ?? false)
        : entry.isDirectory()
      return { name: entry.name, kind: isFolder ? 'folder' : 'file' } as const
    })
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT')
      problems.push(describeProblem('unreadable', folder, { why: describeError(error) }))
    return []
  }
}

function joinFound(parts: readonly FoundFiles[]): FoundFiles {
  return {
    files: parts.flatMap(({ files }) => files),
    problems: parts.flatMap(({ problems }) => problems),
  }
}
