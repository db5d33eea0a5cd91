import { dirname, isAbsolute, join } from 'node:path'
import { type ImportMention, looksLikeFile } from './import-mentions.ts'
import type { LoadContext } from './load-state.ts'
import { mapLimited } from './map-limited.ts'
import type { LoadedMemory, LoadReason, MemoryFile, MemoryProblem } from './memory-file.ts'
import { isInside } from './paths.ts'
import { describeProblem } from './problem.ts'
import { type Instructions, readInstructions } from './read-instructions.ts'
import { findRealPath, type SkippedRead } from './read-text.ts'

/** A file that was read, and why. */
export interface ImportRoot {
  readonly instructions: Instructions
  readonly loadReason: LoadReason
  readonly globs?: readonly string[]
  readonly triggerFilePath?: string
}

/** How far imports lead: a file that the fourth import names is the last. */
const maxHops = 4

/** How many files one step may import. */
const maxImports = 500

/**
 * Reads what files import, and what that imports. Every file stands behind the one that imports it first, counted in hops; none is
 * read twice, however the imports run in circles.
 */
export async function expandImports(
  roots: readonly ImportRoot[],
  context: LoadContext,
): Promise<LoadedMemory> {
  const problems: MemoryProblem[] = []
  const trees = roots.map((root) => toNode(root))
  let level: readonly Node[] = trees
  let count = 0
  for (let hop = 1; level.length > 0; hop += 1) {
    context.signal?.throwIfAborted()
    const imports = await resolveMentions(level, context)
    const wanted =
      hop > maxHops
        ? reportTooDeep(imports, context, problems)
        : await selectImports(imports, context, problems)
    const allowed = wanted.slice(0, maxImports - count)
    const [extra] = wanted.slice(allowed.length)
    if (extra !== undefined)
      problems.push(describeImport(extra, 'too-many', `only ${maxImports} files are imported`))
    count += allowed.length
    level = await readImports(allowed, context, problems)
  }
  return { files: trees.flatMap(flatten), problems }
}

interface Node {
  readonly root: ImportRoot
  readonly parent: Node | undefined
  readonly children: Node[]
  /** The user wrote it, so that it may import from everywhere. */
  readonly isFree: boolean
}

function toNode(root: ImportRoot): Node {
  const { memoryType } = root.instructions
  return { root, parent: undefined, children: [], isFree: memoryType === 'User' || memoryType === 'Managed' }
}

/** An import, and the file it means. */
interface Import {
  readonly node: Node
  readonly mention: ImportMention
  /** The path that was meant. */
  readonly path: string
  readonly target:
    | { readonly kind: 'found'; readonly realPath: string }
    | { readonly kind: 'absent' }
    | SkippedRead
}

interface FoundImport extends Import {
  readonly realPath: string
}

async function resolveMentions(level: readonly Node[], { plan }: LoadContext): Promise<readonly Import[]> {
  const all = level.flatMap((node) => node.root.instructions.mentions.map((mention) => ({ node, mention })))
  return mapLimited(all, async ({ node, mention }) => {
    const folder = dirname(node.root.instructions.path)
    const paths = mention.candidates.map((candidate) => resolveImport(candidate, folder, plan.home))
    for (const path of paths) {
      const target = await findRealPath(path)
      if (target.kind !== 'absent') return { node, mention, path, target }
    }
    return { node, mention, path: paths[0] ?? folder, target: { kind: 'absent' } }
  })
}

function resolveImport(path: string, folder: string, home: string): string {
  if (path.startsWith('~/')) return join(home, path.slice(2))
  return isAbsolute(path) ? join(path) : join(folder, path)
}

/** Chooses what is read, in order, and reports what is not. */
async function selectImports(
  imports: readonly Import[],
  context: LoadContext,
  problems: MemoryProblem[],
): Promise<readonly FoundImport[]> {
  const wanted: FoundImport[] = []
  for (const one of imports) {
    const found = judgeTarget(one, context, problems)
    if (found === undefined) continue
    if (await mayImport(found, context)) {
      context.loaded.add(found.realPath)
      wanted.push(found)
    } else {
      problems.push(
        describeImport(found, 'import-not-approved', 'leads out of the working folder and is not approved'),
      )
    }
  }
  return wanted
}

function reportTooDeep(
  imports: readonly Import[],
  context: LoadContext,
  problems: MemoryProblem[],
): readonly FoundImport[] {
  for (const one of imports) {
    const found = judgeTarget(one, context, problems)
    if (found === undefined) continue
    problems.push(
      describeImport(found, 'import-too-deep', `is more than ${maxHops} imports deep and is left out`),
    )
  }
  return []
}

/** Nothing for what is not there, cannot be read, is excluded or was loaded before. */
function judgeTarget(
  one: Import,
  { plan, loaded }: LoadContext,
  problems: MemoryProblem[],
): FoundImport | undefined {
  const { target, path, mention, node } = one
  if (target.kind === 'absent') {
    const isMeant = mention.candidates.some(looksLikeFile)
    if (isMeant) problems.push(describeImport(one, 'import-missing', 'is not there and stays as text'))
    return undefined
  }
  if (target.kind !== 'found') {
    problems.push(describeImport(one, target.kind, target.why))
    return undefined
  }
  const isManaged = node.root.instructions.memoryType === 'Managed'
  const isExcluded = !isManaged && (plan.isExcluded(path) || plan.isExcluded(target.realPath))
  return isExcluded || loaded.has(target.realPath) ? undefined : { ...one, realPath: target.realPath }
}

/** One question after the other, and none twice. */
async function mayImport(
  { node, realPath }: FoundImport,
  { plan, answers, signal }: LoadContext,
): Promise<boolean> {
  if (node.isFree || plan.workingFolders.some((folder) => isInside(realPath, folder))) return true
  const known = answers.get(realPath)
  if (known !== undefined) return known
  signal?.throwIfAborted()
  const isApproved = await plan.isApproved({ path: realPath, importedBy: node.root.instructions.path })
  answers.set(realPath, isApproved)
  return isApproved
}

async function readImports(
  wanted: readonly FoundImport[],
  { plan }: LoadContext,
  problems: MemoryProblem[],
): Promise<readonly Node[]> {
  const read = await mapLimited(wanted, async (found) => {
    const { memoryType } = found.node.root.instructions
    return { found, read: await readInstructions({ path: found.path, realPath: found.realPath, memoryType }) }
  })
  const nodes: Node[] = []
  for (const { found, read: file } of read) {
    problems.push(...file.problems)
    if (file.instructions === undefined) continue
    const parent = found.node
    // What lies in the project may be anybody's, whoever imports it.
    const isFree = parent.isFree && !plan.workingFolders.some((folder) => isInside(found.realPath, folder))
    const root: ImportRoot = { instructions: file.instructions, loadReason: 'include' }
    const node: Node = { root, parent, children: [], isFree }
    parent.children.push(node)
    nodes.push(node)
  }
  return nodes
}

function flatten(node: Node): readonly MemoryFile[] {
  return [...toFile(node), ...node.children.flatMap(flatten)]
}

/** A file that says nothing is none. */
function toFile({ root, parent }: Node): readonly MemoryFile[] {
  const { instructions, loadReason, globs, triggerFilePath } = root
  const { path, text, memoryType } = instructions
  if (text === '') return []
  return [
    {
      path,
      text,
      memoryType,
      loadReason,
      ...(globs === undefined ? {} : { globs }),
      ...(parent === undefined ? {} : { parentFilePath: parent.root.instructions.path }),
      ...(triggerFilePath === undefined ? {} : { triggerFilePath }),
    },
  ]
}

function describeImport(one: Import, code: MemoryProblem['code'], why: string): MemoryProblem {
  const { node, mention, path, target } = one
  return describeProblem(code, node.root.instructions.path, {
    line: mention.line,
    why: `the import @${mention.candidates[0]} (${path}) ${why}`,
    ...(target.kind === 'found' ? { importPath: target.realPath } : {}),
  })
}
