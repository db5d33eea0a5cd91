import { readdirSync, readFileSync } from 'node:fs'

/** One running process, as Linux tells it in /proc. */
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
}

/** Reads one process; undefined when it is gone or this is not Linux. */
export function readProcess(pid: number): ProcessEntry | undefined {
  const stat = readProc(`${pid}/stat`)?.toString('latin1')
  if (stat === undefined) return undefined
  // The second field is the program's name in parentheses and may contain anything, parentheses too.
  const [state, parent, group, session, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTicks: Number(rest[15]),
    dead: state === 'Z' || state === 'X',
  }
}

/** Lists the living processes that the filter lets through by their id. */
export function listProcesses(wanted: (pid: number) => boolean = () => true): ProcessEntry[] {
  return listPids()
    .filter(wanted)
    .map((pid) => readProcess(pid))
    .filter((entry): entry is ProcessEntry => entry !== undefined && !entry.dead)
}

/** Says whether the environment a process started with contains the text. False when that may not be read. */
export function environmentIncludes(pid: number, text: string): boolean {
  return readProc(`${pid}/environ`)?.includes(text) ?? false
}

/** The id given out last; undefined where that is not told. */
export function lastPid(): number | undefined {
  const last = Number(readProc('loadavg')?.toString('latin1').trim().split(' ').at(-1))
  return last > 0 ? last : undefined
}

function listPids(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 1 && pid !== process.pid)
  } catch {
    return []
  }
}

function readProc(path: string): Buffer | undefined {
  try {
    return readFileSync(`/proc/${path}`)
  } catch {
    return undefined
  }
}
