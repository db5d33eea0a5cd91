import { closeSync, openSync, readdirSync, readSync } from 'node:fs'

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

/** Several processes, read one after the other. */
export interface ProcessTable {
  /** Those that were still there, by id. */
  readonly entries: ReadonlyMap<number, ProcessEntry>
  /** False when one was gone before it was read. */
  readonly complete: boolean
  /** Says whether the environment a process started with contains the text. False when it may not be read. */
  environmentIncludes(pid: number, text: string): boolean
}

/** Reads the processes with these ids; environments only when asked for, and once. */
export function readTable(pids: readonly number[]): ProcessTable {
  const found = pids.map((pid) => readProcess(pid)).filter((entry) => entry !== undefined)
  const environments = new Map<number, string>()
  return {
    entries: new Map(found.map((entry) => [entry.pid, entry])),
    complete: found.length === pids.length,
    environmentIncludes(pid, text) {
      const environment = environments.get(pid) ?? readProc(`${pid}/environ`)?.toString('latin1') ?? ''
      environments.set(pid, environment)
      return environment.includes(text)
    },
  }
}

/** The id given out last; undefined where that is not told. */
export function lastPid(): number | undefined {
  const last = Number(readProc('loadavg')?.toString('latin1').trim().split(' ').at(-1))
  return last > 0 ? last : undefined
}

/** Which boot of the machine this is: the first digits of its id; empty where that is not told. */
export function readBoot(): string {
  return readProc('sys/kernel/random/boot_id')?.toString('latin1').trim().slice(0, 8) ?? ''
}

/** How many ids are given out before they begin anew; the least that Linux has where it is not told. */
export function countIds(): number {
  knownIds ??= Number(readProc('sys/kernel/pid_max')?.toString('latin1')) || LEAST_IDS
  return knownIds
}

const LEAST_IDS = 32_768
let knownIds: number | undefined

/** Reused, because a look reads many small files; larger ones are rare. */
let scratch = Buffer.alloc(16_384)

/** Reads a whole file of /proc. The result is valid until the next call. */
function readProc(path: string): Buffer | undefined {
  let file: number
  try {
    file = openSync(`/proc/${path}`, 'r')
  } catch {
    return undefined
  }
  try {
    let length = readSync(file, scratch)
    for (let more = length; more > 0; length += more) {
      if (length === scratch.length) scratch = Buffer.concat([scratch, Buffer.alloc(length)])
      more = readSync(file, scratch, length, scratch.length - length, null)
    }
    return scratch.subarray(0, length)
  } catch {
    // The process ended meanwhile.
    return undefined
  } finally {
    closeSync(file)
  }
}
