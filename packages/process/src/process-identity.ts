import { readBoot, readProcess } from './process-table.ts'

/** Tells one process of this machine from every other, also from a later one with the same id. Plain data, to be written down. */
export interface ProcessIdentity {
  /** Process id. */
  readonly pid: number
  /** When it started: clock ticks of one boot, and which boot. One word; `unknown` where the system does not tell. */
  readonly started: string
}

const unknown = 'unknown'

/** Identifies the process that this code runs in, for a lock that others shall be able to judge when it is gone. */
export function identifySelf(): ProcessIdentity {
  const own = readProcess(process.pid)
  return { pid: process.pid, started: own === undefined ? unknown : `${own.startTicks}-${readBoot()}` }
}

/**
 * Says whether a process still runs: not one that has ended and waits to be collected, nor another one that was given its id. In doubt
 * it does: where the system does not tell (no `/proc`, processes of other users hidden) the id alone counts.
 *
 * The id means something on the machine, and in the container, where it was given out: whoever shares a folder with others asks
 * about that first.
 *
 * @example
 * isProcessAlive(identifySelf()) // true
 */
export function isProcessAlive({ pid, started }: ProcessIdentity): boolean {
  const [ticks, boot] = started === unknown ? [] : started.split('-')
  if (!mayBeSame(boot, readBoot()) || !hasProcess(pid)) return false
  const found = readProcess(pid)
  return found === undefined || (!found.dead && mayBeSame(ticks, String(found.startTicks)))
}

/** What is not known may be anything. */
function mayBeSame(one = '', other = ''): boolean {
  return one === '' || other === '' || one === other
}

function hasProcess(pid: number): boolean {
  // Zero and below stand for groups of processes.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
