/** What several sources put in and one reader takes out, in order. */
export interface Inbox<Item> {
  readonly put: (item: Item) => void
  /** Wakes the reader although nothing was put in: something elsewhere is ready. */
  readonly wake: () => void
  /** Something was put in and not taken out. */
  readonly hasItems: boolean
  /** Takes everything out. */
  take(): readonly Item[]
  /** Resolves when something was put in, or the reader was woken, since the last `take`. */
  changed(): Promise<void>
}

/** Creates an inbox. One reader; a wait leaves nothing behind. */
export function createInbox<Item>(): Inbox<Item> {
  let items: Item[] = []
  let isWoken = false
  let waiting: (() => void) | undefined

  function wake(): void {
    isWoken = true
    waiting?.()
    waiting = undefined
  }

  return {
    wake,
    get hasItems() {
      return items.length > 0
    },
    put(item) {
      items.push(item)
      wake()
    },
    take() {
      const taken = items
      items = []
      isWoken = false
      return taken
    },
    changed() {
      if (isWoken) return Promise.resolve()
      return new Promise((resolve) => {
        waiting = resolve
      })
    },
  }
}
