/** A watched file that changed. */
export interface FileChange {
  /** The file. Absolute. */
  readonly path: string
  readonly event: 'change' | 'add' | 'unlink'
}

/** Watches files by their paths; keeps no process alive. */
export interface FileWatch extends AsyncDisposable {
  /** From now on these files and no others. */
  aim(paths: readonly string[]): void
}

/** Begins to watch nothing. The library is loaded only where somebody watches something. */
export async function createFileWatch(onChange: (change: FileChange) => void): Promise<FileWatch> {
  const { watch } = await import('chokidar')
  const watcher = watch([], {
    ignoreInitial: true,
    persistent: false,
    depth: 0,
    // Who writes a file in several steps is told of once.
    awaitWriteFinish: { stabilityThreshold: 100, pollInterval: 25 },
  })
  let watched: readonly string[] = []
  for (const event of ['change', 'add', 'unlink'] as const) {
    watcher.on(event, (path) => {
      if (watched.includes(path)) onChange({ path, event })
    })
  }
  // A folder that cannot be watched is no reason to end the session.
  watcher.on('error', () => {})
  return {
    aim(paths) {
      const next = new Set(paths)
      watcher.unwatch(watched.filter((path) => !next.has(path)))
      watcher.add(paths.filter((path) => !watched.includes(path)))
      watched = paths
    },
    [Symbol.asyncDispose]: () => watcher.close(),
  }
}
