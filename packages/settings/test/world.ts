import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A temporary home, project (a git repository) and managed folder; gone after the test. */
export interface World {
  readonly home: string
  readonly project: string
  readonly managedFolder: string
  readonly env: Record<string, string>
  readonly root: string
  readonly cwd: string
  /** Writes a file below the root, `~` for home and `@` for the project. Values become JSON. */
  write(name: string, content: unknown): string
  read(name: string): string
  path(name: string): string
}

export function makeWorld(): World {
  const root = makeFolder()
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return worldIn(root)
}

export function makeFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'x-settings-')))
}

export function worldIn(root: string): World {
  const home = join(root, 'home')
  const project = join(root, 'project')
  const managedFolder = join(root, 'managed')
  const path = (name: string): string =>
    name.replace(/^~/, home).replace(/^@/, project).replace(/^!/, managedFolder)
  const write = (name: string, content: unknown): string => {
    const file = path(name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(
      file,
      typeof content === 'string' || Buffer.isBuffer(content)
        ? content
        : JSON.stringify(content, undefined, 2),
    )
    return file
  }
  mkdirSync(home, { recursive: true })
  write('@/.git/HEAD', 'ref: refs/heads/main\n')
  const read = (name: string): string => readFileSync(path(name), 'utf8')
  return { root, home, project, cwd: project, managedFolder, env: {}, path, write, read }
}

/** The options that keep the machine's own settings out. */
export function optionsOf({ home, project, managedFolder, env }: World): {
  cwd: string
  home: string
  env: Record<string, string>
  managedFolder: string
} {
  return { cwd: project, home, env, managedFolder }
}
