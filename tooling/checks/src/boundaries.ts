import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listPackages, root, runProgram } from './workspace.ts'

/** `turbo boundaries`, and every package has the tag of a layer (one without a tag would escape the rules). */
export function checkBoundaries(): readonly string[] {
  const { ok, output } = runProgram('turbo', ['boundaries', '--no-color'], { cwd: root })
  const untagged = listPackages().filter(({ dir }) => !hasLayer(join(dir, 'turbo.json')))
  return [
    ...(ok ? [] : [output]),
    ...untagged.map(({ name }) => `${name}: turbo.json has no layer tag; see docs/architecture.md`),
  ]
}

function hasLayer(file: string): boolean {
  const { tags = [] }: { tags?: readonly string[] } = JSON.parse(readFileSync(file, 'utf8'))
  return tags.some((tag) => ['foundation', 'mechanism', 'part', 'assembly'].includes(tag))
}
