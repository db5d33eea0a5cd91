import {
  environmentIncludes,
  lastPid,
  listProcesses,
  type ProcessEntry,
  readProcess,
} from './process-table.ts'

/** A process that was started here and all that came from it. */
export interface ProcessTree {
  /** Id of the main process, of its group and of its session. */
  readonly pid: number
  /** Clock ticks at which the main process started; see `ProcessEntry`. 0 where it is not known. */
  readonly startTicks: number
  /** When the main process started, on the clock of `performance.now()`. */
  readonly startedAt: number
  /** Text that only this tree has in its environment. */
  readonly tag: string
  /** Set when the main process has been collected: from then on its id may belong to somebody else. */
  mainExited: boolean
}

/** The members of a tree by process id, each with its start ticks. */
export type Members = Map<number, number>

/**
 * Finds the living members of a tree.
 *
 * On Linux: the session and group of the main process (also job-control children in groups of their own), everything
 * whose environment has the tag (also after setsid, double fork, nohup), and the descendants of all these. Elsewhere:
 * the group stands for its members.
 */
export function findMembers(tree: ProcessTree): Members {
  if (process.platform !== 'linux') return probeGroup(tree)
  return selectMembers(tree, listProcesses())
}

/**
 * Finds what is left right after the main process has exited, without reading every process of the machine for a
 * command that took a millisecond: a descendant has an id given out after the main process's.
 */
export function findLeftovers(tree: ProcessTree): Members {
  const last = process.platform === 'linux' ? lastPid() : undefined
  const young = performance.now() - tree.startedAt < 1000
  if (last === undefined || last < tree.pid || !young) return findMembers(tree)
  if (last === tree.pid) return new Map()
  return selectMembers(
    tree,
    listProcesses((pid) => pid > tree.pid),
  )
}

/** Says whether this very process still lives, not another one that got its id. */
export function isAlive(pid: number, startTicks: number): boolean {
  if (process.platform !== 'linux') return groupExists(pid)
  const entry = readProcess(pid)
  return entry?.startTicks === startTicks && !entry.dead
}

/** Says whether the number of the main process, of its group and session, is surely still its own. */
export function ownsNumber(tree: ProcessTree): boolean {
  if (tree.mainExited) return false
  return process.platform !== 'linux' || readProcess(tree.pid)?.startTicks === tree.startTicks
}

function groupExists(group: number): boolean {
  try {
    process.kill(-group, 0)
    return true
  } catch {
    return false
  }
}

function selectMembers(tree: ProcessTree, entries: readonly ProcessEntry[]): Members {
  // The kernel gives an id out again only when no group or session has that number either. So if somebody else has it
  // now, group and session are empty.
  const numberIsOurs = !tree.mainExited || entries.every((entry) => entry.pid !== tree.pid)
  const members: Members = new Map()
  const younger = entries.filter((entry) => entry.startTicks >= tree.startTicks)
  for (const entry of younger) {
    const inGroup = numberIsOurs && (entry.session === tree.pid || entry.group === tree.pid)
    if (inGroup || environmentIncludes(entry.pid, tree.tag)) members.set(entry.pid, entry.startTicks)
  }
  addDescendants(members, younger)
  return members
}

function addDescendants(members: Members, entries: readonly ProcessEntry[]): void {
  let before: number
  do {
    before = members.size
    for (const entry of entries) {
      if (members.has(entry.parent)) members.set(entry.pid, entry.startTicks)
    }
  } while (members.size > before)
}

function probeGroup(tree: ProcessTree): Members {
  return groupExists(tree.pid) ? new Map([[tree.pid, tree.startTicks]]) : new Map()
}
