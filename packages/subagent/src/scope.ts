/** Everything an agent has started, so that one call releases it on every way out. */
export interface Scope {
  /** Takes a thing in; closed already, it is released at once. Returns a function that releases it before the others. */
  add(release: () => unknown): () => Promise<void>
  /** Releases everything, last in first out; a failing release keeps no other from running. Twice is harmless. Never rejects. */
  close(): Promise<readonly unknown[]>
  /** How many things wait to be released. */
  readonly size: number
}

/** Makes an empty scope. */
export function createScope(): Scope {
  const releases = new Set<() => Promise<void>>()
  const faults: unknown[] = []
  let closing: Promise<readonly unknown[]> | undefined

  async function releaseAll(): Promise<readonly unknown[]> {
    while (releases.size > 0) {
      const last = [...releases].at(-1)
      await last?.()
    }
    return faults
  }

  return {
    get size() {
      return releases.size
    },
    add(release) {
      const own = async (): Promise<void> => {
        if (!releases.delete(own)) return
        try {
          await release()
        } catch (error) {
          faults.push(error)
        }
      }
      releases.add(own)
      if (closing !== undefined) void own()
      return own
    },
    close: () => (closing ??= releaseAll()),
  }
}
