import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadMemory, type Memory, type MemoryFile, type MemoryOptions } from '@x/memory'
import { onTestFinished } from 'vitest'

/** A temporary home, project and managed folder; gone after the test. In paths, `~` is home, `@` the project and `!` the managed folder. */
export interface World {
  readonly root: string
  readonly home: string
  readonly project: string
  path(name: string): string
  /** Writes a file and gives its path. */
  write(name: string, content: string | Buffer): string
  writeAll(files: Readonly<Record<string, string>>): void
  /** Makes a link to a path. */
  link(name: string, target: string): string
  /** Loads for the project, with nothing of this machine. */
  load(options?: MemoryOptions): Promise<Memory>
  /** The names of files, shortened. */
  names(files: readonly MemoryFile[]): readonly string[]
  /** A text with the folders of this world shortened. */
  short(text: string): string
}

export function makeWorld(): World {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'x-memory-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const home = join(root, 'home')
  const project = join(root, 'project')
  const managed = join(root, 'managed')
  mkdirSync(home)
  mkdirSync(project)
  const path = (name: string): string =>
    name.replace(/^~/, home).replace(/^@/, project).replace(/^!/, managed)
  const write = (name: string, content: string | Buffer): string => {
    const file = path(name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return file
  }
  const link = (name: string, target: string): string => {
    mkdirSync(dirname(path(name)), { recursive: true })
    symlinkSync(target, path(name))
    return path(name)
  }
  const short = (text: string): string =>
    text.replaceAll(project, '@').replaceAll(home, '~').replaceAll(managed, '!').replaceAll(root, '#')
  return {
    root,
    home,
    project,
    path,
    write,
    writeAll: (files) => {
      for (const [name, content] of Object.entries(files)) write(name, content)
    },
    link,
    load: (options = {}) => loadMemory({ cwd: project, home, env: {}, managedFolder: managed, ...options }),
    names: (files) => files.map((file) => short(file.path)),
    short,
  }
}
