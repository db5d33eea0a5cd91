import { ask } from './cannot-tell.ts'
import { type Finding, findingOf } from './finding.ts'
import { splitNul } from './git-output.ts'
import type { Site } from './site.ts'
import type { Asking } from './working.ts'

/** What git says of the tracked files of a worktree. */
export interface Status {
  /** What it found. */
  readonly findings: readonly Finding[]
  /** Paths that it calls changed. */
  readonly changed: ReadonlySet<string>
}

/**
 * Asks for changes of tracked files, staged or not. Where a removal has begun already, missing files are no change: they are
 * what it deleted, and their content is in the commit.
 */
export async function examineStatus(
  site: Site,
  { git, signal }: Asking,
  { isHalfDone }: { readonly isHalfDone: boolean },
): Promise<Status> {
  const args = [
    'status',
    '--porcelain=v2',
    '-z',
    '--untracked-files=no',
    '--no-renames',
    '--ignore-submodules=none',
  ]
  const said = splitNul(await ask(git, args, { cwd: site.folder, signal }))
  const staged: string[] = []
  const modified: string[] = []
  const conflicts: string[] = []
  for (const line of said) {
    const { kind, index, file, path } = parseLine(line)
    if (kind === 'u') conflicts.push(path)
    else if (kind === '1' || kind === '2') {
      if (index !== '.') staged.push(path)
      if (file !== '.' && !(isHalfDone && file === 'D')) modified.push(path)
    }
  }
  return {
    changed: new Set([...staged, ...modified, ...conflicts]),
    findings: [
      ...findingOf('conflict', conflicts, 'unmerged files'),
      ...findingOf('staged', staged, 'staged changes'),
      ...findingOf('modified', modified, 'changed or deleted files'),
    ],
  }
}

function parseLine(line: string): { kind: string; index: string; file: string; path: string } {
  const [kind = '', xy = '..'] = line.split(' ')
  // Fields before the path: 8 of an ordinary entry, 10 of an unmerged one.
  const path = line
    .split(' ')
    .slice(kind === 'u' ? 10 : 8)
    .join(' ')
  return { kind, index: xy[0] ?? '.', file: xy[1] ?? '.', path }
}
