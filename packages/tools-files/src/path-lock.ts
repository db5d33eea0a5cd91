const tails = new Map<string, Promise<void>>()

/** Runs `work` when every earlier work on the same path has ended, so two edits of one file never see the same old content. */
export async function withPathLock<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  const before = tails.get(path)
  const own = Promise.withResolvers<void>()
  tails.set(path, own.promise)
  try {
    await before
    return await work()
  } finally {
    own.resolve()
    if (tails.get(path) === own.promise) tails.delete(path)
  }
}
