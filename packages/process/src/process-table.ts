import { readdirSync, readFileSync } from 'node:fs'

/** One process, as Linux tells it in /proc. */
export interface ProcessEntry {
  /** Process id. */
  readonly pid: number
  /** Process id of the parent; 1 (or a subreaper) once that has gone. */
  readonly parent: number
  /** Process group. */
  readonly group: number
  /** Session. */
  readonly session: number
  /** Clock ticks after boot at which it started. Together with the id it names a process for good: ids are reused. */
  readonly startTicks: number
  /** Ended, but not yet collected by its parent: its id is still taken. */
  readonly dead: boolean
  /** In the middle of exec: its environment cannot be read yet. */
  readonly beginning: boolean
}

/** Reads one process; undefined when it is gone or this is not Linux. */
export function readProcess(pid: number): ProcessEntry | undefined {
  const stat = readProc(`${pid}/stat`)?.toString('latin1')
  if (stat === undefined) return undefined
  // The second field is the program's name in parentheses and may contain anything, parentheses too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group, session] = fields
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTicks: Number(fields[19]),
    dead: state === 'Z' || state === 'X',
    // No end of the environment, and not a thread of the kernel, whose parent is 2.
    beginning: fields[48] === '0' && parent !== '2',
  }
}

/** The ids of all processes but the first one and this one. */
export function listPids(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 1 && pid !== process.pid)
  } catch {
    return []
  }
}

/** The environment a process started with; undefined when it may not be read. */
export function readEnvironment(pid: number): Buffer | undefined {
  return readProc(`${pid}/environ`)
}

/** The id given out last; undefined where that is not told. */
export function lastPid(): number | undefined {
  const last = Number(readProc('loadavg')?.toString('latin1').trim().split(' ').at(-1))
  return last > 0 ? last : undefined
}

function readProc(path: string): Buffer | undefined {
  try {
    return readFileSync(`/proc/${path}`)
  } catch {
    return undefined
  }
}
