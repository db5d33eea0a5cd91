import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tarballOf } from './tarballs.ts'
import { listPackages, root, runProgram, type WorkspacePackage } from './workspace.ts'

/** Installs each package's tarball, with the workspace packages it needs, in an empty folder with npm and runs its example there. */
export function checkConsumers(): readonly string[] {
  return listPackages().flatMap(checkConsumer)
}

function checkConsumer(pack: WorkspacePackage): readonly string[] {
  const example = join(pack.dir, 'examples', 'basic.ts')
  if (!existsSync(example)) return [`${pack.name}: examples/basic.ts is missing`]
  const folder = mkdtempSync(join(tmpdir(), 'x-consumer-'))
  try {
    const tarballs = [...withNeeded(pack, example)].map((needed) => `file:${tarballOf(needed)}`)
    writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n')
    copyFileSync(example, join(folder, 'basic.ts'))
    const install = [
      'install',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      ...tarballs,
      `zod@${zodVersion()}`,
    ]
    for (const [program, args] of [
      ['npm', install],
      ['node', ['basic.ts']],
    ] as const) {
      const { ok, output } = runProgram(program, args, { cwd: folder })
      if (!ok) return [`${pack.name}: ${program} ${args[0]}\n${output}`]
    }
    return []
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The package, what it depends on in this workspace, and what its example imports beside it. */
function withNeeded(pack: WorkspacePackage, example: string): ReadonlySet<WorkspacePackage> {
  const all = new Map(listPackages().map((entry) => [entry.name, entry]))
  const imported = [...readFileSync(example, 'utf8').matchAll(/from '(@x\/[a-z-]+)/g)].map(
    ([, name = '']) => name,
  )
  const needed = new Set<WorkspacePackage>()
  const queue = [pack.name, ...imported]
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const found = all.get(name)
    if (found === undefined || needed.has(found)) continue
    needed.add(found)
    queue.push(...found.dependencies)
  }
  return needed
}

function zodVersion(): string {
  const [, version = 'latest'] =
    /^ {2}zod: (.+)$/m.exec(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')) ?? []
  return version
}
