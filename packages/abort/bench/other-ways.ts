/** What each way hands out. */
export interface Child {
  readonly signal: AbortSignal
}

/** The obvious way: it keeps every child, and adding walks all listeners. */
export function listenerPerChild(parent: AbortController): Child {
  const child = new AbortController()
  parent.signal.addEventListener('abort', () => child.abort(parent.signal.reason), { once: true })
  return child
}

/** As before, but the closure knows the child weakly: the child goes, its listener stays. */
export function weakController(parent: AbortController): Child {
  const child = new AbortController()
  parent.signal.addEventListener('abort', weakAbort(new WeakRef(child), parent.signal), { once: true })
  return child
}

/** Out here, so that the closure has no child in its scope. */
function weakAbort(ref: WeakRef<AbortController>, parent: AbortSignal): () => void {
  return () => ref.deref()?.abort(parent.reason)
}

const fans = new WeakMap<AbortController, Set<WeakRef<AbortController>>>()
const registry = new FinalizationRegistry<() => void>((forget) => forget())

/** One listener on the parent, a set of WeakRefs, and a registry that empties it. */
export function weakWithRegistry(parent: AbortController): Child {
  const child = new AbortController()
  const ref = new WeakRef(child)
  const fan = fans.get(parent) ?? createFan(parent)
  fan.add(ref)
  registry.register(child, forgetter(fan, ref))
  return child
}

function createFan(parent: AbortController): Set<WeakRef<AbortController>> {
  const fan = new Set<WeakRef<AbortController>>()
  fans.set(parent, fan)
  parent.signal.addEventListener('abort', () => {
    for (const ref of fan) ref.deref()?.abort(parent.signal.reason)
  })
  return fan
}

function forgetter(fan: Set<WeakRef<AbortController>>, ref: WeakRef<AbortController>): () => void {
  return () => fan.delete(ref)
}
