import { setTimeout as delay } from 'node:timers/promises'
import { findMembers, isAlive, type Members, ownsNumber, type ProcessTree } from './process-tree.ts'
import { killTreeOnWindows } from './windows.ts'

/** Milliseconds after which a process that does not die even of KILL is given up. */
const FORCE_MS = 2000

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
  if (process.platform === 'win32') return endOnWindows(tree)
  const signalled: Members = new Map()
  if (graceMs > 0) {
    signalTree(tree, 'SIGTERM', signalled)
    if (await waitUntilGone(tree, signalled, { timeoutMs: graceMs })) return { signalled, survivors: [] }
  }
  const deadline = performance.now() + FORCE_MS
  let gone = false
  while (!gone && performance.now() < deadline) {
    signalTree(tree, 'SIGKILL', signalled)
    gone = await waitUntilGone(tree, signalled, { timeoutMs: 20 })
  }
  return { signalled, survivors: gone ? [] : [...living(tree, signalled).keys()] }
}

/** Kills a whole tree without waiting, for a host that is about to exit. */
export function killTreeSync(tree: ProcessTree): void {
  if (process.platform === 'win32') {
    killTreeOnWindows(tree.pid)
    return
  }
  const signalled: Members = new Map()
  // Again, as long as members appear that were not there at the last look: they were being forked.
  for (let round = 0, before = -1; round < 10 && signalled.size > before; round += 1) {
    before = signalled.size
    signalTree(tree, 'SIGKILL', signalled)
  }
}

/** Waits until no member is left, in looks that come further and further apart. */
export async function waitUntilGone(
  tree: ProcessTree,
  known: Members,
  { timeoutMs, hurry }: Patience,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    const someLeft = [...known].some(([pid, startTicks]) => isAlive(pid, startTicks))
    if (!someLeft && living(tree, known).size === 0) return true
    const leftMs = deadline - performance.now()
    if (leftMs <= 0 || hurry?.() === true) return false
    await delay(Math.min(pauseMs, leftMs))
  }
}

function signalTree(tree: ProcessTree, signal: NodeJS.Signals, signalled: Members): void {
  const members = living(tree, signalled)
  for (const [pid, startTicks] of members) signalled.set(pid, startTicks)
  // The group at one stroke reaches those just being forked too. Its other members hear the signal twice: harmless.
  if (ownsNumber(tree)) send(-tree.pid, signal)
  for (const pid of members.keys()) send(pid, signal)
}

/** The members to be found now, and those known from before that still live. */
export function living(tree: ProcessTree, known: Members): Members {
  const members = findMembers(tree)
  for (const [pid, startTicks] of known) {
    if (isAlive(pid, startTicks)) members.set(pid, startTicks)
  }
  return members
}

function send(target: number, signal: NodeJS.Signals): void {
  if (Math.abs(target) <= 1 || target === process.pid) return
  try {
    process.kill(target, signal)
  } catch {
    // Gone already, or not ours to signal (setuid): the next look tells.
  }
}

async function endOnWindows(tree: ProcessTree): Promise<TreeEnd> {
  killTreeOnWindows(tree.pid)
  return { signalled: new Map([[tree.pid, 0]]), survivors: [] }
}
