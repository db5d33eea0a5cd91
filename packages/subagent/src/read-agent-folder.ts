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
/** So many files of one folder are looked at. */
const maxFiles = 2_000

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

  async function visit(folder: string, depth: number): Promise<void> {
    const real = await realpath(folder)
    if (seen.has(real) || depth > maxDepth) return
    seen.add(real)
    const names = (await readdir(folder)).sort()
    for (const path of names.map((name) => join(folder, name))) await look(path, depth)
  }

  async function look(path: string, depth: number): Promise<void> {
    try {
      const facts = await stat(path)
      if (facts.isDirectory()) await visit(path, depth + 1)
      else if (isAgentFile(path) && facts.isFile()) take(path, facts.size)
    } catch (error) {
      if (isAgentFile(path)) problems.push(problem(path, error))
    }
  }

  function take(path: string, size: number): void {
    if (size > maxFileBytes) problems.push(problem(path, `larger than ${maxFileBytes} bytes`))
    else if (files.length < maxFiles) files.push(path)
  }

  if (isAgentFile(root)) await look(root, 0)
  else
    await visit(root, 0).catch((error: unknown) => {
      if (!isMissing(error)) problems.push(problem(root, error))
    })
  return files
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
