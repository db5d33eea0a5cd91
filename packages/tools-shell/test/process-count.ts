import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** How many living processes have their working folder in this one. */
export function countIn(folder: string): number {
  return readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid && isIn(pid, folder),
  ).length
}

/** Whether the process runs (one that is dead and not collected does not). */
export function isRunning(pid: number): boolean {
  return !isDead(String(pid))
}

function isIn(pid: string, folder: string): boolean {
  try {
    const cwd = readlinkSync(`/proc/${pid}/cwd`)
    return (cwd === folder || cwd.startsWith(`${folder}/`)) && !isDead(pid)
  } catch {
    return false
  }
}

function isDead(pid: string): boolean {
  try {
    return /^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return true
  }
}
