import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { listPackages, root, runProgram, type WorkspacePackage } from './workspace.ts'

// Where the packed tarballs are left for the consumer check.
const tarballDir = join(root, 'node_modules', '.x', 'tarballs')

/** Packs every package and asks publint and attw about it. */
export function packTarballs(): readonly string[] {
  rmSync(tarballDir, { recursive: true, force: true })
  mkdirSync(tarballDir, { recursive: true })
  return listPackages().flatMap(checkPackage)
}

/** The tarball of a package, packed now if it was not. */
export function tarballOf(pack: WorkspacePackage): string {
  const file = findTarball(pack.name)
  if (file !== undefined) return file
  packOne(pack)
  return findTarball(pack.name) ?? join(tarballDir, 'missing.tgz')
}

function checkPackage(pack: WorkspacePackage): readonly string[] {
  const packed = packOne(pack)
  if (!packed.ok) return [`${pack.name}: pack failed\n${packed.output}`]
  const tarball = tarballOf(pack)
  const outcomes = [
    ['publint', runProgram(tool('publint'), [tarball, '--strict'])],
    ['attw', runProgram(tool('attw'), [tarball, '--profile', 'esm-only', '--no-color'])],
  ] as const
  return outcomes.flatMap(([name, { ok, output }]) => (ok ? [] : [`${pack.name}: ${name}\n${output}`]))
}

function packOne({ dir }: WorkspacePackage): { readonly ok: boolean; readonly output: string } {
  return runProgram('pnpm', ['pack', '--pack-destination', tarballDir], { cwd: dir })
}

function findTarball(name: string): string | undefined {
  if (!existsSync(tarballDir)) return undefined
  const start = name.replace('@', '').replace('/', '-')
  const file = readdirSync(tarballDir).find(
    (entry) => entry.startsWith(start) && /^-\d/.test(entry.slice(start.length)),
  )
  return file === undefined ? undefined : join(tarballDir, file)
}

function tool(name: string): string {
  return join(root, 'tooling', 'checks', 'node_modules', '.bin', name)
}
