import { loadAutoMemory } from './auto-memory.ts'
import { expandImports } from './expand-imports.ts'
import { type FoundFile, findStartFiles } from './find-files.ts'
import type { LoadContext, LoadState } from './load-state.ts'
import { mapLimited } from './map-limited.ts'
import type { LoadedMemory, MemoryFile, MemoryProblem } from './memory-file.ts'
import type { MemoryPlan } from './memory-plan.ts'
import { type Instructions, readInstructions } from './read-instructions.ts'
import { compileRule, type Rule } from './rule.ts'

/** A step of loading, and what is known after it. */
export interface LoadStep extends LoadedMemory {
  readonly state: LoadState
}

/** Loads what a session starts with; after a compaction the same again. */
export async function loadStart(
  plan: MemoryPlan,
  loadReason: 'session_start' | 'compact',
  signal: AbortSignal | undefined,
): Promise<LoadStep> {
  const context: LoadContext = { plan, loaded: new Set(), answers: new Map(), signal }
  const found = await findStartFiles(plan)
  signal?.throwIfAborted()
  const [read, auto] = await Promise.all([
    readFound(found.files, context),
    plan.autoFolder === undefined ? undefined : loadAutoMemory(plan.autoFolder, { loadReason }),
  ])
  const managed = read.instructions.filter(({ memoryType }) => memoryType === 'Managed')
  const others = read.instructions.slice(managed.length)
  const roots = [...managed, ...managedText(plan), ...others]
  const isOwn = ({ memoryType }: Instructions): boolean => memoryType === 'Managed' || memoryType === 'User'
  const files: MemoryFile[] = []
  const problems: MemoryProblem[] = [...plan.problems, ...found.problems, ...read.problems]
  // The user's own files first: what they import needs no approval, whoever imports it as well.
  for (const group of [roots.filter(isOwn), roots.filter((one) => !isOwn(one))]) {
    const loaded = await expandImports(
      group.map((instructions) => ({ instructions, loadReason })),
      context,
    )
    files.push(...loaded.files)
    problems.push(...loaded.problems)
  }
  return {
    files: [...files, ...(auto?.files ?? [])],
    problems: [...problems, ...(auto?.problems ?? [])],
    state: { loaded: context.loaded, visited: new Set(), rules: read.rules },
  }
}

/** Files that were read: those to show now, and rules that wait. */
interface ReadFiles {
  readonly instructions: readonly Instructions[]
  readonly rules: readonly Rule[]
  readonly problems: readonly MemoryProblem[]
}

/** Reads files that were found, but none that was loaded or is excluded. */
export async function readFound(
  found: readonly FoundFile[],
  { plan, loaded }: LoadContext,
): Promise<ReadFiles> {
  const seen = new Set(loaded)
  const fresh = found.filter(({ path, realPath, memoryType }) => {
    const isExcluded = memoryType !== 'Managed' && (plan.isExcluded(path) || plan.isExcluded(realPath))
    if (isExcluded || seen.has(realPath)) return false
    seen.add(realPath)
    return true
  })
  const read = await mapLimited(fresh, readInstructions)
  const instructions: Instructions[] = []
  const rules: Rule[] = []
  const problems = read.flatMap((one) => one.problems)
  for (const { instructions: one } of read) {
    if (one?.globs === undefined) {
      if (one !== undefined) instructions.push(one)
      continue
    }
    const compiled = compileRule(one, one.globs, plan.home)
    rules.push(compiled.rule)
    problems.push(...compiled.problems)
  }
  // Before any import is followed: a file that stands for itself is not loaded as an import. A rule that waits may be.
  for (const { realPath } of instructions) loaded.add(realPath)
  return { instructions, rules, problems }
}

/** Text without a file; it imports nothing, since there is no folder to start from. */
function managedText({ managedText: text }: MemoryPlan): readonly Instructions[] {
  const path = 'managed settings'
  return text === undefined
    ? []
    : [{ path, realPath: path, memoryType: 'Managed', text: text.trim(), mentions: [] }]
}
