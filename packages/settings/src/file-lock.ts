import { open, stat, unlink } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { SettingsError, systemCodeOf } from './errors.ts'

/** A lock whose owner has not finished for so long belongs to a process that died. */
const staleMs = 10_000
const pauseMs = 20

/**
 * Runs work that no other process runs at the same time for this file, and no other call in this one.
 *
 * A lock file beside the file says so to other processes. One that a dead process left is taken over after ten seconds.
 *
 * @throws SettingsError `file-locked` if somebody holds it for longer than that.
 */
export async function withFileLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const before = queues.get(path) ?? Promise.resolve()
  const turn = before.then(() => runLocked(path, work))
  const settled = turn.then(
    () => {},
    () => {},
  )
  queues.set(path, settled)
  try {
    return await turn
  } finally {
    if (queues.get(path) === settled) queues.delete(path)
  }
}

const queues = new Map<string, Promise<void>>()

async function runLocked<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const lock = `${path}.lock`
  await takeLock(lock, path)
  try {
    return await work()
  } finally {
    await unlink(lock).catch(() => {})
  }
}

async function takeLock(lock: string, path: string): Promise<void> {
  const end = Date.now() + 2 * staleMs
  while (!(await tryLock(lock))) {
    const age = Date.now() - ((await stat(lock).catch(() => undefined))?.mtimeMs ?? Date.now())
    if (age > staleMs) await unlink(lock).catch(() => {})
    else if (Date.now() > end) throw locked(lock, path)
    else await delay(pauseMs * (0.5 + Math.random()))
  }
}

async function tryLock(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx')).close()
    return true
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false
    throw error
  }
}

function locked(lock: string, path: string): SettingsError {
  const message = `${path} is being changed by another program; try again, or remove ${lock} if none is running`
  return new SettingsError('file-locked', message, { file: path })
}
