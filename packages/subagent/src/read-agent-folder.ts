import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { AgentFolder } from './agent-folders.ts'
import type { AgentDefinition, AgentProblem } from './definition.ts'
import { type ParsedAgent, parseAgentFile } from './parse-agent-file.ts'

/** What the files of a folder hold, in order of their paths. */
export interface AgentFiles {
  /** The definitions; two of one name may be among them. */
  readonly definitions: readonly AgentDefinition[]
  /** What is wrong with files. */
  readonly problems: readonly AgentProblem[]
}

/** A larger file is no agent. In bytes. */
const maxFileBytes = 1024 * 1024
/** Folders inside folders are read this deep. */
const maxDepth = 10
/** So many files of one folder are read. */
const maxFiles = 2_000
/** So many names below one folder are looked at: a link in it may lead to a whole disk. */
const maxNames = 5_000

/** Reads all agent files below a folder, or the one file that is meant. A missing folder is empty; what cannot be read is a problem and hides nothing. */
export async function readAgentFolder(folder: AgentFolder, isTrusted: boolean): Promise<AgentFiles> {
  const problems: AgentProblem[] = []
  const files = await listFiles(folder.path, problems)
  const parsed = await Promise.all(files.map((path) => readAgentFile(path, folder, isTrusted)))
  return {
    definitions: parsed.flatMap(({ definition }) => definition ?? []),
    problems: [...problems, ...parsed.flatMap((one) => one.problems)],
  }
}

async function readAgentFile(path: string, folder: AgentFolder, isTrusted: boolean): Promise<ParsedAgent> {
  try {
    const text = await readFile(path, 'utf8')
    const { source } = folder
    if (folder.plugin === undefined) return parseAgentFile(text, path, { source, isTrusted })
    const inner = path === folder.path ? [] : relative(folder.path, dirname(path)).split(sep)
    const plugin = [folder.plugin, ...inner].filter((part) => part !== '').join(':')
    return parseAgentFile(text, path, { source, plugin })
  } catch (error) {
    return { problems: [problem(path, error)] }
  }
}

/** Lists the Markdown files below a folder by path; each real folder once, so that links cannot make a circle. */
async function listFiles(root: string, problems: AgentProblem[]): Promise<readonly string[]> {
  const files: string[] = []
  const seen = new Set<string>()
  let names = 0

  /** Gives the folders in it. */
  async function visit({ path, depth }: Folder): Promise<readonly Folder[]> {
    const real = await realpath(path)
    if (seen.has(real) || depth > maxDepth) return []
    seen.add(real)
    const inside: Folder[] = []
    for (const entry of (await readdir(path, { withFileTypes: true })).sort(byName)) {
      names += 1
      if (names > maxNames) return []
      const inner = { path: join(path, entry.name), depth: depth + 1, isLink: entry.isSymbolicLink() }
      if (await look(inner.path)) inside.push(inner)
    }
    return inside
  }

  /** Says whether it is a folder. */
  async function look(path: string): Promise<boolean> {
    try {
      const facts = await stat(path)
      if (facts.isDirectory()) return true
      if (isAgentFile(path) && facts.isFile()) take(path, facts.size)
    } catch (error) {
      if (isAgentFile(path)) problems.push(problem(path, error))
    }
    return false
  }

  function take(path: string, size: number): void {
    if (size > maxFileBytes) problems.push(problem(path, `larger than ${maxFileBytes} bytes`))
    else if (files.length < maxFiles) files.push(path)
  }

  const isOneFile = isAgentFile(root) && !(await look(root))
  await visitAll(isOneFile ? [] : [{ path: root, depth: 0, isLink: false }], (folder) =>
    visit(folder).catch((error: unknown) => {
      if (folder.path === root && !isMissing(error)) problems.push(problem(root, error))
      return []
    }),
  )
  if (names > maxNames) problems.push(problem(root, `what follows after the first ${maxNames} names in it`))
  return files.toSorted(byPath)
}

interface Folder {
  readonly path: string
  readonly depth: number
  readonly isLink: boolean
}

/** Own folders come before those behind links: a link to something huge hides nothing that stands beside it. */
async function visitAll(
  roots: readonly Folder[],
  visit: (folder: Folder) => Promise<readonly Folder[]>,
): Promise<void> {
  const own = [...roots]
  const linked: Folder[] = []
  for (let folder = own.shift(); folder !== undefined; folder = own.shift() ?? linked.shift()) {
    const isBehindLink = folder.isLink
    for (const inner of await visit(folder)) {
      const isLink = isBehindLink || inner.isLink
      if (isLink) linked.push({ ...inner, isLink })
      else own.push(inner)
    }
  }
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1
}

/** What is in a folder comes where the folder comes. */
function byPath(one: string, other: string): number {
  const [left, right] = [one, other].map((path) => path.replaceAll(sep, '\0'))
  return left === right ? 0 : (left ?? '') < (right ?? '') ? -1 : 1
}

function isAgentFile(path: string): boolean {
  return /\.md$/i.test(path) && !basename(path).startsWith('.')
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function problem(path: string, error: unknown): AgentProblem {
  return {
    path,
    reason: `Not read: ${error instanceof Error ? error.message : String(error)}`,
    level: isMissing(error) ? 'debug' : 'warning',
  }
}
