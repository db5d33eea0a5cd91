import { createAbortController, type DisposableAbortController } from '@x/abort'

/** Keeps track of what goes on after its event is over. */
export interface LateHooks extends AsyncDisposable {
  /** Aborts when all of it has to end. */
  readonly signal: AbortSignal
  /** Remembers work until it is done. It must not reject. */
  add(work: Promise<unknown>): void
}

/** Begins to keep track. Disposing ends everything and waits until it is gone. */
export function createLateHooks(): LateHooks {
  const lifetime: DisposableAbortController = createAbortController()
  const running = new Set<Promise<unknown>>()
  return {
    signal: lifetime.signal,
    add(work) {
      const forget: Promise<unknown> = work.then(() => running.delete(forget))
      running.add(forget)
    },
    async [Symbol.asyncDispose]() {
      lifetime.abort()
      while (running.size > 0) await Promise.all(running)
    },
  }
}
