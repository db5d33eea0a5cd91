import { killTreesSync } from './kill-tree.ts'
import { findMembers, type ProcessTree } from './process-tree.ts'

const live = new Set<ProcessTree>()
const kept = new Set<ProcessTree>()

/** Remembers a tree until it has ended, so that the host's exit takes it along. */
export function addLiveTree(tree: ProcessTree): void {
  if (live.size + kept.size === 0) process.on('exit', killAllSync)
  live.add(tree)
}

/** Forgets a tree that has ended. */
export function removeLiveTree(tree: ProcessTree): void {
  const known = live.delete(tree) || kept.delete(tree)
  if (known && live.size + kept.size === 0) process.off('exit', killAllSync)
}

/** Goes on remembering a tree whose main process has exited while others were kept. */
export function keepLiveTree(tree: ProcessTree): void {
  if (!live.delete(tree)) return
  kept.add(tree)
  // Nobody is told when a kept process ends, so the others are looked at now.
  for (const old of kept) {
    if (findMembers(old).members.size === 0) removeLiveTree(old)
  }
}

/**
 * Kills every process that was started here and everything that came from them, at once and without waiting.
 *
 * Runs by itself when the host exits in any way that fires the `exit` event. A host that handles SIGINT, SIGTERM or
 * SIGHUP itself calls it, or `process.exit()`; without a handler those signals end Node without the event.
 */
export function killAllSync(): void {
  killTreesSync([...live, ...kept])
}
