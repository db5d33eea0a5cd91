import type { Leftovers, ProcessExit } from './exit.ts'
import { endTree, findLiving, type TreeEnd, waitUntilGone } from './kill-tree.ts'
import type { Launched } from './launch.ts'
import { addLiveTree, keepLiveTree, removeLiveTree } from './live-trees.ts'
import type { ProcessOptions } from './options.ts'
import { findMembers, mainProcesses } from './process-tree.ts'
import type { SinkCause } from './sink.ts'
import { feedStdin } from './stdin.ts'

/** Why a process was ended from here. */
export type EndCause =
  | SinkCause
  | { readonly kind: 'timed-out'; readonly timeoutMs: number }
  | { readonly kind: 'aborted'; readonly reason: unknown }
  | { readonly kind: 'killed'; readonly reason: unknown }

type MainEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }

const NO_LEFTOVERS: Leftovers = { ended: 0, kept: [] }

/** Accompanies one process from its start to the end of its tree. */
export class Supervisor {
  /** Resolves when the tree is dealt with and the output is complete. */
  readonly exited: Promise<ProcessExit>
  readonly #launched: Launched
  readonly #options: ProcessOptions
  readonly #mainEnd = Promise.withResolvers<MainEnd>()
  #cause: EndCause | undefined
  #ending: Promise<TreeEnd> | undefined
  #endWanted = false

  constructor(launched: Launched, options: ProcessOptions) {
    this.#launched = launched
    this.#options = options
    const { child, sink, tree } = launched
    addLiveTree(tree)
    child.once('exit', (code, signal) => {
      tree.mainExited = true
      mainProcesses.delete(tree.pid)
      this.#mainEnd.resolve(
        signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal },
      )
    })
    // After a successful start Node reports only signals that could not be sent; none is sent through it.
    child.on('error', () => {})
    sink.attach(child, (cause) => this.end(cause))
    feedStdin(child.stdin, options)
    this.exited = this.#accompany()
  }

  /** Ends the whole tree. The first cause wins; after the main process's exit only what it left is ended. */
  end(cause: EndCause): void {
    this.#endWanted = true
    const { tree, child } = this.#launched
    if (this.#cause !== undefined || tree.mainExited) return
    this.#cause = cause
    this.#ending = endTree(tree, cause.kind === 'output-limit' ? 0 : this.#graceMs)
    void this.#ending.then(({ survivors }) => {
      if (!survivors.includes(tree.pid)) return
      // Stuck inside the kernel: nobody can end it, and nobody shall wait for it.
      child.unref()
      this.#mainEnd.resolve({ kind: 'signalled', signal: 'SIGKILL' })
    })
  }

  /** Ends what was kept after the exit. */
  async endKept(): Promise<void> {
    const exit = await this.exited
    if (exit.leftovers.kept.length === 0) return
    await endTree(this.#launched.tree, this.#graceMs)
    removeLiveTree(this.#launched.tree)
  }

  get #graceMs(): number {
    return this.#options.killGraceMs ?? 1000
  }

  async #accompany(): Promise<ProcessExit> {
    const { tree, sink } = this.#launched
    const disarm = this.#arm()
    try {
      const mainEnd = await this.#mainEnd.promise
      const leftovers =
        this.#ending === undefined ? await this.#settle() : await this.#endOthers(this.#ending)
      if (leftovers.kept.length > 0) keepLiveTree(tree)
      else removeLiveTree(tree)
      const sinkCause = await sink.finish()
      return {
        ...(this.#cause ?? sinkCause ?? mainEnd),
        durationMs: performance.now() - tree.startedAt,
        leftovers,
      }
    } finally {
      disarm()
    }
  }

  /** Sets what ends the process from outside, and returns the way to unset it. */
  #arm(): () => void {
    const { signal, timeoutMs } = this.#options
    const onAbort = (): void => this.end({ kind: 'aborted', reason: signal?.reason })
    signal?.addEventListener('abort', onAbort, { once: true })
    // The child keeps the host alive as long as it runs; the timer need not.
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => this.end({ kind: 'timed-out', timeoutMs }), timeoutMs).unref()
    return () => {
      signal?.removeEventListener('abort', onAbort)
      clearTimeout(timer)
    }
  }

  async #settle(): Promise<Leftovers> {
    const { tree } = this.#launched
    const { leftovers = 'kill', settleMs = 200 } = this.#options
    const { members, certain } = findMembers(tree)
    if (certain && members.size === 0) return NO_LEFTOVERS
    const patience = { timeoutMs: settleMs, hurry: () => this.#endWanted }
    if (await waitUntilGone(tree, members, patience)) return NO_LEFTOVERS
    if (leftovers === 'keep' && !this.#endWanted) {
      return { ended: 0, kept: [...findLiving(tree, members).members.keys()] }
    }
    return this.#endOthers(endTree(tree, this.#graceMs))
  }

  async #endOthers(ending: Promise<TreeEnd>): Promise<Leftovers> {
    const { signalled, survivors } = await ending
    // The main process counts among the signalled if it was there; its end is told by other means.
    if (this.#cause !== undefined) signalled.delete(this.#launched.tree.pid)
    const ended = [...signalled.keys()].filter((pid) => !survivors.includes(pid))
    return { ended: ended.length, kept: survivors }
  }
}
