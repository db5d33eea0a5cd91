import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Names one process for good: ids are given out again, ids with a start time are not. */
export interface ProcessIdentity {
  /** Process id. */
  readonly pid: number
  /** When it started, in clock ticks of one boot; `unknown` where the system does not tell. */
  readonly started: string
  /** The machine or container: an id means nothing elsewhere. */
  readonly host: string
}

/** The identity of a process that lives here; by default this one. */
export function identify(pid: number = process.pid): ProcessIdentity {
  return { pid, started: startOf(pid), host: hostname().replace(/[^A-Za-z0-9._-]/g, '-') }
}

/** Is it this very process? */
export function isSelf(identity: ProcessIdentity): boolean {
  const self = identify()
  return identity.pid === self.pid && identity.started === self.started && identity.host === self.host
}

/** Does the process live? `unknown` when it ran on another machine. */
export function lifeOf(identity: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  const now = identify(identity.pid)
  if (identity.host !== now.host) return 'unknown'
  if (!hasProcess(identity.pid)) return 'dead'
  // One that ended and waits for its parent, or another one that got the id.
  return identity.started === now.started || identity.started === 'unknown' ? 'alive' : 'dead'
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in parentheses and may contain anything, parentheses too.
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim().slice(0, 8)
    return state === 'Z' || state === 'X' ? 'ended' : `${fields[18]}-${boot}`
  } catch {
    return 'unknown'
  }
}
