import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listPackages, type WorkspacePackage } from './workspace.ts'

const maxLines = 150

/** Each README is short and shows exactly the example that runs. */
export function checkReadmes(): readonly string[] {
  return listPackages().flatMap(checkReadme)
}

function checkReadme({ name, dir }: WorkspacePackage): readonly string[] {
  const file = join(dir, 'README.md')
  const exampleFile = join(dir, 'examples', 'basic.ts')
  const missing = [file, exampleFile].filter((path) => !existsSync(path))
  if (missing.length > 0) return missing.map((path) => `${name}: ${path} is missing`)
  const text = readFileSync(file, 'utf8')
  const example = readFileSync(exampleFile, 'utf8').trim()
  const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code.trim())
  return [
    ...(text.split('\n').length > maxLines + 1 ? [`${name}: README.md has more than ${maxLines} lines`] : []),
    ...(blocks.includes(example) ? [] : [`${name}: README.md does not show examples/basic.ts as it is`]),
  ]
}
