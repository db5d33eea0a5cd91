import type { MemoryProblem, MemoryProblemCode } from './memory-file.ts'

/** Says what is wrong with a file, or in one of its lines, in one sentence. */
export function describeProblem(
  code: MemoryProblemCode,
  path: string,
  facts: { readonly why: string; readonly line?: number; readonly importPath?: string },
): MemoryProblem {
  const { why, line, importPath } = facts
  return {
    code,
    path,
    ...(line === undefined ? {} : { line }),
    ...(importPath === undefined ? {} : { importPath }),
    message: `${line === undefined ? path : `${path}:${line}`}: ${why}`,
  }
}
