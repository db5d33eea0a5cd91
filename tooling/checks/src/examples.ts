import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { listPackages, root, runProgram } from './workspace.ts'

/** Every example runs to its end from source, with no key and no network. */
export function checkExamples(): readonly string[] {
  const folders = [...listPackages().map(({ dir }) => join(dir, 'examples')), join(root, 'examples')]
  const files = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter(
      (file) => file.endsWith('.ts') && !/\.(test|config)\.ts$/.test(file) && !file.includes('node_modules'),
    )
  return files.flatMap((file) => {
    const { ok, output } = runProgram('node', ['--conditions=@x/source', file], { cwd: root })
    return ok ? [] : [`${file.slice(root.length + 1)}\n${output}`]
  })
}
