import { setTimeout as delay } from 'node:timers/promises'
import { listPids, readTable } from './process-table.ts'
import { findMembers, isAlive, type Look, type Members, ownsGroup, type ProcessTree } from './process-tree.ts'
import { killTreeOnWindows } from './windows.ts'

/** Milliseconds after which a process that does not die even of KILL is given up. */
const FORCE_MS = 2000

/**
 * Looks that find nobody but are not certain, after which nobody is there: on a machine that forks all the time hardly
 * any look is certain, and who was missed by one is found by the next.
 */
const MOST_DOUBTS = 5

/** What ending a tree came to. */
export interface TreeEnd {
  /** All that were signalled, the main process included. */
  readonly signalled: Members
  /** Those that are still there. */
  readonly survivors: readonly number[]
}

/** How long to wait for a tree to end by itself. */
export interface Patience {
  /** The longest time. */
  readonly timeoutMs: number
  /** Asked at each look; true ends the waiting. */
  readonly hurry?: () => boolean
}

/**
 * Ends a whole tree: TERM, a limited time, KILL until nothing is found any more.
 *
 * A member that forks or leaves the group meanwhile is found by the next look; one seen once is not forgotten when it
 * loses its parent.
 */
export async function endTree(tree: ProcessTree, graceMs: number): Promise<TreeEnd> {
  const signalled: Members = new Map()
  if (process.platform === 'win32') {
    killTreeOnWindows(tree.pid)
    return { signalled, survivors: [] }
  }
  if (graceMs > 0) {
    signalTree(tree, 'SIGTERM', { signalled })
    if (await waitUntilGone(tree, signalled, { timeoutMs: graceMs })) return { signalled, survivors: [] }
  }
  const deadline = performance.now() + FORCE_MS
  let gone = false
  while (!gone && performance.now() < deadline) {
    signalTree(tree, 'SIGKILL', { signalled })
    gone = await waitUntilGone(tree, signalled, { timeoutMs: 20 })
  }
  return { signalled, survivors: gone ? [] : [...findLiving(tree, signalled).members.keys()] }
}

/** Kills whole trees without waiting for their end, for a host that is about to exit. */
export function killTreesSync(trees: readonly ProcessTree[]): void {
  if (process.platform === 'win32') {
    for (const tree of trees) killTreeOnWindows(tree.pid)
    return
  }
  const signalled: Members = new Map()
  let again = trees.length > 0
  // Another round as long as one may have been missed or has just been found, for it may have been forking.
  for (let round = 0; again && round < 10; round += 1) {
    const table = readTable(listPids())
    const before = signalled.size
    const looks = trees.map((tree) =>
      signalTree(tree, 'SIGKILL', { signalled, look: findMembers(tree, table) }),
    )
    again = signalled.size > before || looks.some((certain) => !certain)
  }
}

/** Waits until surely no member is left, in looks that come further and further apart. */
export async function waitUntilGone(tree: ProcessTree, known: Members, patience: Patience): Promise<boolean> {
  const deadline = performance.now() + patience.timeoutMs
  let doubts = 0
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    const { members, certain } = lookForAny(tree, known)
    doubts = members.size === 0 ? doubts + 1 : 0
    if (doubts > 0 && (certain || doubts === MOST_DOUBTS)) return true
    const leftMs = deadline - performance.now()
    if (leftMs <= 0 || patience.hurry?.() === true) return false
    await delay(Math.min(pauseMs, leftMs))
  }
}

/** Finds the members there are now, and those known from before that still live. */
export function findLiving(tree: ProcessTree, known: Members): Look {
  const look = findMembers(tree)
  for (const member of known.values()) {
    if (isAlive(member) && !look.members.has(member.pid)) look.members.set(member.pid, member)
  }
  return look
}

function lookForAny(tree: ProcessTree, known: Members): Look {
  // The few known ones first: as long as one lives, the machine need not be searched.
  const member = known.values().find(isAlive)
  return member === undefined
    ? findMembers(tree)
    : { members: new Map([[member.pid, member]]), certain: true }
}

interface Signalling {
  readonly signalled: Members
  readonly look?: Look
}

/** Signals all members and notes them. Returns whether the look was certain. */
function signalTree(tree: ProcessTree, signal: NodeJS.Signals, { signalled, look }: Signalling): boolean {
  const { members, certain } = look ?? findLiving(tree, signalled)
  // The group at one stroke: that reaches those just being forked too. Nobody gets the signal twice: many programs take
  // a second TERM for an order to drop everything.
  const wholeGroup = ownsGroup(tree)
  if (wholeGroup) send(-tree.pid, signal)
  for (const member of members.values()) {
    signalled.set(member.pid, member)
    if (!wholeGroup || member.group !== tree.pid) send(member.pid, signal)
  }
  return certain
}

function send(target: number, signal: NodeJS.Signals): void {
  if (Math.abs(target) <= 1 || target === process.pid) return
  try {
    process.kill(target, signal)
  } catch {
    // Gone already, or not ours to signal (setuid): the next look tells.
  }
}
