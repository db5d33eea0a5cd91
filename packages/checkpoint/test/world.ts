import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type CheckpointProblem,
  type Checkpoints,
  type CheckpointsOptions,
  createCheckpoints,
  type RewindOutcome,
} from '@x/checkpoint'

/** A temporary folder with a project and a store in it. */
export interface World extends AsyncDisposable {
  readonly checkpoints: Checkpoints
  /** The store. */
  readonly folder: string
  readonly problems: CheckpointProblem[]
  /** Absolute path of a file of the project. */
  path(name: string): string
  /** Another process on the same store. */
  reopen(options?: Partial<CheckpointsOptions>): Checkpoints
  /** Writes or removes a file the way a tool does. */
  tool(name: string, content: string | Buffer | undefined): Promise<void>
  /** Writes or removes a file without telling anybody. */
  user(name: string, content: string | Buffer | undefined): Promise<void>
  bytes(name: string): Promise<Buffer>
  text(name: string): Promise<string | undefined>
  mode(name: string): Promise<number>
  setMode(name: string, mode: number): Promise<void>
  /** Names of the copies. */
  copies(): Promise<string[]>
}

export async function openWorld(options: Partial<CheckpointsOptions> = {}): Promise<World> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'checkpoint-')))
  const folder = join(root, 'state', 'file-history', 'session')
  const problems: CheckpointProblem[] = []
  const open = (more: Partial<CheckpointsOptions>): Checkpoints =>
    createCheckpoints({ folder, onProblem: (problem) => problems.push(problem), ...more })
  const checkpoints = open(options)
  const path = (name: string): string => join(root, 'project', name)
  const user = async (name: string, content: string | Buffer | undefined): Promise<void> => {
    if (content === undefined) return await rm(path(name))
    await mkdir(dirname(path(name)), { recursive: true })
    await writeFile(path(name), content)
  }
  const readBefore = async (name: string): Promise<{ bytes: Buffer; mode: number } | undefined> => {
    const bytes = await readFile(path(name)).catch(() => undefined)
    return bytes && { bytes, mode: (await stat(path(name))).mode & 0o7777 }
  }
  await mkdir(join(root, 'project'))
  return {
    checkpoints,
    folder,
    problems,
    path,
    user,
    reopen: (more = {}) => open({ ...options, ...more }),
    tool: async (name, content) => {
      const after = content === undefined ? undefined : [Buffer.from(content)]
      const change = { path: path(name), before: await readBefore(name), after }
      const noteWritten = await checkpoints.fileHistory.beforeChange(change)
      await user(name, content)
      await noteWritten()
    },
    bytes: (name) => readFile(path(name)),
    text: (name) => readFile(path(name), 'utf8').catch(() => undefined),
    mode: async (name) => (await stat(path(name))).mode & 0o7777,
    setMode: (name, mode) => chmod(path(name), mode),
    copies: () => readdir(join(folder, 'copies')).catch(() => []),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}

/** The lists of an outcome, with paths only, and only those that hold something. */
export function summaryOf(outcome: RewindOutcome): Record<string, readonly string[]> {
  if (outcome.type === 'unknown-message') return { unknown: [outcome.messageId] }
  const { changed, conflicts, skipped, failed } = outcome
  const lists = {
    changed: changed.map(({ path, action }) => `${action} ${path}`),
    conflicts: conflicts.map(({ path, action }) => `${action} ${path}`),
    skipped: skipped.map(({ path, reason }) => `${reason} ${path}`),
    failed: failed.map(({ path }) => path),
  }
  return Object.fromEntries(Object.entries(lists).filter(([, files]) => files.length > 0))
}
