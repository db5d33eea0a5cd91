import { checkBoundaries } from './boundaries.ts'
import { checkChangesets } from './changesets.ts'
import { checkConsumers } from './consumers.ts'
import { checkExamples } from './examples.ts'
import { checkLockFile } from './lock-file.ts'
import { checkReadmes } from './readmes.ts'
import { packTarballs } from './tarballs.ts'
import { root, runProgram } from './workspace.ts'

/** One thing that must hold. `run` returns what does not; nothing means it holds. */
export interface Check {
  readonly name: string
  /** What the check keeps true, in a few words. */
  readonly keeps: string
  run(): readonly string[]
}

/** All checks in the order in which they run: the quick ones first. */
export const checks: readonly Check[] = [
  program('format', 'layout and import order', ['biome', 'check', '.']),
  program('lint', 'names, sizes, no floating promises', ['oxlint', '--type-aware', '--deny-warnings']),
  program('types', 'every package type-checks', ['turbo', 'run', 'typecheck', '--output-logs=errors-only']),
  program('build', 'every package builds', ['turbo', 'run', 'build', '--output-logs=errors-only']),
  { name: 'boundaries', keeps: 'imports go down the layers', run: checkBoundaries },
  program('knip', 'no dead files, exports or dependencies', ['knip']),
  program('sherif', 'manifests agree', ['sherif', '--ignore-dependency', 'typescript', '--fail-on-warnings']),
  { name: 'lock-file', keeps: 'the lock file names no host', run: checkLockFile },
  { name: 'readmes', keeps: 'README code is the code of the examples', run: checkReadmes },
  program('api-docs', 'every export is documented', ['pnpm', '--dir', 'tooling/docs', 'exec', 'typedoc']),
  { name: 'tarballs', keeps: 'tarballs work for their users (publint, attw)', run: packTarballs },
  { name: 'examples', keeps: 'examples run', run: checkExamples },
  { name: 'consumers', keeps: 'each package works alone from its tarball', run: checkConsumers },
  { name: 'changesets', keeps: 'a note for every noticeable change', run: checkChangesets },
]

function program(name: string, keeps: string, command: readonly [string, ...string[]]): Check {
  const [file, ...args] = command
  return {
    name,
    keeps,
    run() {
      const { ok, output } = runProgram(file, args, { cwd: root })
      return ok ? [] : [output]
    },
  }
}
