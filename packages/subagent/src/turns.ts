import { raceAbort } from '@x/abort'

/** Does work of one name when all that was asked for before under it is done. Rejects with the signal's reason while it waits. */
export type InTurn = <Value>(name: string, signal: AbortSignal, work: () => Promise<Value>) => Promise<Value>

/** Makes queues by name; one that is empty is forgotten. */
export function createTurns(): InTurn {
  const last = new Map<string, Promise<void>>()
  return async (name, signal, work) => {
    const before = last.get(name)
    const { promise: done, resolve } = Promise.withResolvers<void>()
    // Whoever leaves the queue early does not let those behind it pass those before it.
    const own = Promise.all([before, done]).then(() => {})
    last.set(name, own)
    try {
      await raceAbort(before ?? Promise.resolve(), signal)
      return await work()
    } finally {
      resolve()
      void own.then(() => {
        if (last.get(name) === own) last.delete(name)
      })
    }
  }
}
