import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the whole repository. */
export const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

/** One publishable package. */
export interface WorkspacePackage {
  readonly name: string
  readonly dir: string
  readonly dependencies: readonly string[]
}

/** All packages below `packages/`, by name. */
export function listPackages(): readonly WorkspacePackage[] {
  return readdirSync(join(root, 'packages'))
    .sort()
    .map((folder) => {
      const dir = join(root, 'packages', folder)
      const manifest: { name: string; dependencies?: Record<string, string> } = JSON.parse(
        readFileSync(join(dir, 'package.json'), 'utf8'),
      )
      return { name: manifest.name, dir, dependencies: Object.keys(manifest.dependencies ?? {}) }
    })
}

/** How a program ended, and all it printed. */
export interface Outcome {
  readonly ok: boolean
  readonly output: string
}

/** Runs a program to its end. A program that cannot start counts as failed. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string } = {},
): Outcome {
  const done = spawnSync(program, args, {
    cwd: options.cwd ?? root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return {
    ok: done.status === 0,
    output: `${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}`,
  }
}
