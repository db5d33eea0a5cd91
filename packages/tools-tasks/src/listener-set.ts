/** A set of listeners that hear everything in order of subscription. */
export interface ListenerSet<Change> {
  /** Returns the undo. The same function subscribed twice hears twice. */
  subscribe(listener: (change: Change) => void): () => void
  /** Tells everybody; a listener that throws keeps nobody else from hearing. */
  tell(change: Change): void
}

/** Makes an empty set of listeners. */
export function createListenerSet<Change>(): ListenerSet<Change> {
  const listeners = new Set<{ readonly hear: (change: Change) => void }>()
  return {
    subscribe(hear) {
      const own = { hear }
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    tell(change) {
      for (const { hear } of listeners) {
        try {
          hear(change)
        } catch {
          // A listener's fault is its own: it must not keep a task from ending.
        }
      }
    },
  }
}
