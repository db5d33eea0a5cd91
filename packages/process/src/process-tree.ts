import { lastPid, listPids, type ProcessEntry, readEnvironment, readProcess } from './process-table.ts'

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
  /** Dead processes of the machine that an earlier look has seen. */
  readonly seenDead: Set<number>
}

/** A member of a tree. */
export type Member = Pick<ProcessEntry, 'pid' | 'group' | 'startTicks'>

/** The members of a tree by process id. */
export type Members = Map<number, Member>

/** What one look at the machine has found. */
export interface Look {
  /** The living members. */
  readonly members: Members
  /** False when one more may have been missed, because a process was being forked, executed or ended meanwhile. */
  readonly certain: boolean
}

/**
 * Finds the living members of a tree.
 *
 * On Linux: the session and group of the main process (also job-control children in groups of their own), everything
 * whose environment has the tag (also after setsid, double fork, nohup), and the descendants of all these. Elsewhere:
 * the group stands for its members.
 */
export function findMembers(tree: ProcessTree): Look {
  return process.platform === 'linux' ? lookAt(tree, listPids()) : probeGroup(tree)
}

/**
 * Finds what is left right after the main process has exited, without reading every process of the machine for a
 * command that took a millisecond: a descendant has an id given out after the main process's.
 */
export function findLeftovers(tree: ProcessTree): Look {
  const last = process.platform === 'linux' ? lastPid() : undefined
  const young = performance.now() - tree.startedAt < 1000
  if (last === undefined || last < tree.pid || !young) return findMembers(tree)
  const later = last === tree.pid ? [] : listPids().filter((pid) => pid > tree.pid)
  return lookAt(tree, later)
}

/** Says whether this very process still lives, not another one that got its id. */
export function isAlive({ pid, startTicks }: Member): boolean {
  if (process.platform !== 'linux') return groupExists(pid)
  const entry = readProcess(pid)
  return entry?.startTicks === startTicks && !entry.dead
}

/** Says whether the number of the main process, of its group and session, is surely still its own. */
export function ownsNumber(tree: ProcessTree): boolean {
  if (tree.mainExited) return false
  return process.platform !== 'linux' || readProcess(tree.pid)?.startTicks === tree.startTicks
}

function lookAt(tree: ProcessTree, pids: readonly number[]): Look {
  const entries = pids.map((pid) => readProcess(pid)).filter((entry) => entry !== undefined)
  // Who was listed and is gone, or has died, may have forked in between, after the list was made.
  let certain = entries.length === pids.length
  const younger: ProcessEntry[] = []
  for (const entry of entries) {
    if (entry.startTicks < tree.startTicks) continue
    if (!entry.dead) younger.push(entry)
    else if (entry.pid !== tree.pid && !tree.seenDead.has(entry.pid)) {
      tree.seenDead.add(entry.pid)
      certain = false
    }
  }
  const members = selectMembers(tree, younger, numberIsOurs(tree, entries))
  const undecided = younger.some(({ pid, beginning }) => beginning && !members.has(pid))
  return { members, certain: certain && !undecided }
}

/**
 * The kernel gives an id out again only when no group or session has that number either. So if somebody else has it now,
 * group and session are empty.
 */
function numberIsOurs(tree: ProcessTree, entries: readonly ProcessEntry[]): boolean {
  return !tree.mainExited || entries.every((entry) => entry.pid !== tree.pid)
}

function selectMembers(tree: ProcessTree, entries: readonly ProcessEntry[], byNumber: boolean): Members {
  const members: Members = new Map()
  for (const entry of entries) {
    const inGroup = byNumber && (entry.session === tree.pid || entry.group === tree.pid)
    if (inGroup || readEnvironment(entry.pid)?.includes(tree.tag) === true) members.set(entry.pid, entry)
  }
  let before: number
  do {
    before = members.size
    for (const entry of entries) {
      if (members.has(entry.parent)) members.set(entry.pid, entry)
    }
  } while (members.size > before)
  return members
}

function probeGroup(tree: ProcessTree): Look {
  const { pid, startTicks } = tree
  return { members: new Map(groupExists(pid) ? [[pid, { pid, group: pid, startTicks }]] : []), certain: true }
}

function groupExists(group: number): boolean {
  try {
    process.kill(-group, 0)
    return true
  } catch {
    return false
  }
}
