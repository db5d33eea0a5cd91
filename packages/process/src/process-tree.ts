import {
  countIds,
  lastPid,
  listPids,
  type ProcessEntry,
  type ProcessTable,
  readProcess,
  readTable,
} from './process-table.ts'

/** A process that was started here and all that came from it. */
export interface ProcessTree {
  /** Id of the main process, of its group and of its session. */
  readonly pid: number
  /** Clock ticks at which the main process started; see `ProcessEntry`. 0 where there is no /proc to ask. */
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

/** Ids of the main processes that run now. Their sessions are their own: no other tree has a member in there. */
export const mainProcesses: Set<number> = new Set()

/**
 * Finds the living members of a tree, in a table of all processes if the caller has one.
 *
 * On Linux: the session and group of the main process (also job-control children in groups of their own), everything
 * whose environment has the tag (also after setsid, double fork, nohup), and the descendants of all these. Elsewhere:
 * the group stands for its members.
 */
export function findMembers(tree: ProcessTree, table?: ProcessTable): Look {
  if (tree.startTicks === 0) return probeGroup(tree)
  if (table === undefined && leftNobody(tree)) return { members: new Map(), certain: true }
  return lookAt(tree, table ?? readTable(listCandidates(tree)))
}

/** Says whether this very process still lives, not another one that got its id. */
export function isAlive({ pid, startTicks }: Member): boolean {
  if (startTicks === 0) return groupExists(pid)
  const entry = readProcess(pid)
  return entry?.startTicks === startTicks && !entry.dead
}

/** Says whether a signal to the group can reach nobody else. */
export function ownsGroup(tree: ProcessTree): boolean {
  // Without /proc the group is all there is to go by. It is asked for only before the end of the tree is known.
  if (tree.startTicks === 0) return groupExists(tree.pid)
  return !tree.mainExited && readProcess(tree.pid)?.startTicks === tree.startTicks
}

/** Reading so many single processes costs less than the list of all on a machine with a thousand. */
const FEW_IDS = 64

/**
 * A command that took a moment shall not cost a reading of every process of the machine: what came from it has an id
 * given out after its own. Where these are few (its threads, mostly) and each is gone or somebody else's, there is
 * nobody, as long as no further id was given out meanwhile.
 */
function leftNobody(tree: ProcessTree): boolean {
  const last = tree.mainExited && isYoung(tree) ? lastPid() : undefined
  if (last === undefined || last < tree.pid || last > tree.pid + FEW_IDS) return false
  const ids = Array.from({ length: last - tree.pid }, (_, index) => tree.pid + 1 + index)
  const table = readTable(ids)
  return [...table.entries.values()].every((entry) => isForeign(entry, tree, table)) && lastPid() === last
}

function listCandidates(tree: ProcessTree): number[] {
  const pids = listPids().filter((pid) => pid === tree.pid || !mainProcesses.has(pid))
  // Asked after the listing, so that nobody listed can have a later one.
  const last = (isYoung(tree) ? lastPid() : undefined) ?? 0
  return last < tree.pid ? pids : pids.filter((pid) => pid >= tree.pid && pid <= last)
}

/** Whether the ids cannot have gone round since the start: a second for the fewest that Linux has, a minute at most. */
function isYoung({ startedAt }: ProcessTree): boolean {
  return performance.now() - startedAt < Math.min(60_000, countIds() / 32.768)
}

function lookAt(tree: ProcessTree, table: ProcessTable): Look {
  // Who was listed and is gone, or has died, may have forked in between, after the list was made.
  let certain = table.complete
  const possible = [...table.entries.values()].filter((entry) => !isForeign(entry, tree, table))
  for (const { pid, dead } of possible) {
    if (!dead || pid === tree.pid || tree.seenDead.has(pid)) continue
    tree.seenDead.add(pid)
    certain = false
  }
  const living = possible.filter((entry) => !entry.dead)
  const members = selectMembers(tree, table, living)
  const undecided = living.some(({ pid, beginning }) => beginning && !members.has(pid))
  return { members, certain: certain && !undecided }
}

/** A process cannot be a member when it is older than the tree, or in a session that is: a session is made, never joined. */
function isForeign({ startTicks, session }: ProcessEntry, tree: ProcessTree, table: ProcessTable): boolean {
  if (startTicks < tree.startTicks) return true
  if (session === tree.pid) return false
  // Session 0 is that of the kernel, or of somebody outside of this PID namespace.
  if (session === 0 || mainProcesses.has(session)) return true
  const leader = table.entries.get(session) ?? readProcess(session)
  return leader !== undefined && leader.startTicks < tree.startTicks
}

function selectMembers(tree: ProcessTree, table: ProcessTable, living: readonly ProcessEntry[]): Members {
  // The kernel gives an id out again only when no group or session has that number either. So if somebody else has it
  // now, group and session are empty.
  const numberIsOurs = !tree.mainExited || !table.entries.has(tree.pid)
  const members: Members = new Map()
  for (const entry of living) {
    const inGroup = numberIsOurs && (entry.session === tree.pid || entry.group === tree.pid)
    if (inGroup || table.environmentIncludes(entry.pid, tree.tag)) members.set(entry.pid, entry)
  }
  let before: number
  do {
    before = members.size
    for (const entry of living) {
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
