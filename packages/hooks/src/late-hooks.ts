import { createAbortController, type DisposableAbortController } from '@x/abort'

/** Keeps track of what goes on after its event is over. */
export interface LateHooks extends AsyncDisposable {
  /** Aborts when all of it has to end. */
  readonly signal: AbortSignal
  /** Remembers work until it is done. It must not reject. */
  add(work: Promise<unknown>): void
  /** The same for work that may wake the model. */
  addWaking(work: Promise<unknown>): void
  /** Resolves when what may wake the model now has ended; undefined if there is nothing. */
  readonly waking: Promise<unknown> | undefined
}

/** Begins to keep track. Disposing ends everything and waits until it is gone. */
export function createLateHooks(): LateHooks {
  const lifetime: DisposableAbortController = createAbortController()
  const running = new Set<Promise<unknown>>()
  const waking = new Set<Promise<unknown>>()
  return {
    signal: lifetime.signal,
    add: (work) => keep(running, work),
    addWaking(work) {
      keep(running, work)
      keep(waking, work)
    },
    get waking() {
      return waking.size === 0 ? undefined : Promise.all(waking)
    },
    async [Symbol.asyncDispose]() {
      lifetime.abort()
      while (running.size > 0) await Promise.all(running)
    },
  }
}

function keep(set: Set<Promise<unknown>>, work: Promise<unknown>): void {
  const forget: Promise<unknown> = work.then(() => set.delete(forget))
  set.add(forget)
}
