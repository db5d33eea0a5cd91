import { basename, dirname, join, relative, resolve } from 'node:path'
import { expandImports, type ImportRoot } from './expand-imports.ts'
import { findFolderFiles } from './find-files.ts'
import { type LoadStep, readFound } from './load-start.ts'
import type { LoadContext, LoadState } from './load-state.ts'
import type { MemoryPlan } from './memory-plan.ts'
import { isInside, realPathOf } from './paths.ts'
import type { Rule } from './rule.ts'

/** Loads what becomes relevant because a file is read: instructions of the folders down to it, and rules that are for it. */
export async function loadForFile(
  plan: MemoryPlan,
  state: LoadState,
  options: { readonly path: string; readonly signal: AbortSignal | undefined },
): Promise<LoadStep> {
  const { signal } = options
  const triggerFilePath = resolve(plan.cwd, options.path)
  const folder = await realPathOf(dirname(triggerFilePath))
  const names = await namesOf(plan, triggerFilePath, folder)
  const context: LoadContext = { plan, loaded: new Set(state.loaded), answers: new Map(), signal }
  const visited = new Set(state.visited)
  const newFolders = foldersBelow(plan.realCwd, folder).filter((one) => !visited.has(one))
  for (const one of newFolders) visited.add(one)
  const found = await Promise.all(newFolders.map((one) => findFolderFiles(plan, asNamed(plan, one))))
  signal?.throwIfAborted()
  const read = await readFound(
    found.flatMap(({ files }) => files),
    context,
  )
  const waiting = [...state.rules, ...read.rules]
  const fitting = waiting.filter((rule) => names.some((name) => rule.matches(name)))
  const roots: readonly ImportRoot[] = [
    ...read.instructions.map((instructions) => ({
      instructions,
      loadReason: 'nested_traversal' as const,
      triggerFilePath,
    })),
    ...claimRules(fitting, context.loaded).map(({ instructions, globs }) => {
      return { instructions, globs, loadReason: 'path_glob_match' as const, triggerFilePath }
    }),
  ]
  const { files, problems } = await expandImports(roots, context)
  return {
    files,
    problems: [...found.flatMap((one) => one.problems), ...read.problems, ...problems],
    state: { loaded: context.loaded, visited, rules: waiting.filter((rule) => !fitting.includes(rule)) },
  }
}

/** An import may have brought a rule before. */
function claimRules(rules: readonly Rule[], loaded: Set<string>): readonly Rule[] {
  return rules.filter(({ instructions: { realPath } }) => {
    const isFresh = !loaded.has(realPath)
    loaded.add(realPath)
    return isFresh
  })
}

/** What the file is called: where its last link leads, as it stands in its folder, and as it was named. */
async function namesOf(
  { cwd, realCwd }: MemoryPlan,
  path: string,
  folder: string,
): Promise<readonly string[]> {
  const named = isInside(path, cwd) ? join(realCwd, relative(cwd, path)) : path
  return [...new Set([await realPathOf(path), join(folder, basename(path)), named])]
}

/** The folders below one folder down to another, the outer ones first; none if it is not inside. Both are real paths. */
function foldersBelow(top: string, folder: string): readonly string[] {
  if (!isInside(folder, top)) return []
  const folders: string[] = []
  for (let one = folder; one !== top; one = dirname(one)) folders.unshift(one)
  return folders
}

/** A folder below the start folder, named like the start folder is. */
function asNamed({ cwd, realCwd }: MemoryPlan, folder: string): string {
  return join(cwd, relative(realCwd, folder))
}
