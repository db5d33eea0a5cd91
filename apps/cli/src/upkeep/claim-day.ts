import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The right to do something today, which nobody else has. */
export interface DayClaim {
  /** Gives it back: it was not done. */
  undo(): Promise<void>
}

/**
 * Takes the right to do something once a day (UTC); undefined where somebody has taken it, or nothing can be written. The stamps of
 * other days go.
 */
export async function claimDay(
  folder: string,
  name: string,
  now: number = Date.now(),
): Promise<DayClaim | undefined> {
  const day = new Date(now).toISOString().slice(0, 10)
  const stamp = join(folder, `${name}.${day}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Of several programs that start at once, one makes the file.
    await writeFile(stamp, '', { flag: 'wx', mode: 0o600 })
    for (const other of await readdir(folder)) {
      if (!other.endsWith(`.${day}`)) await rm(join(folder, other), { force: true })
    }
  } catch {
    return undefined
  }
  return { undo: () => rm(stamp, { force: true }) }
}
