import { setTimeout as sleep } from 'node:timers/promises'

/** A slow reader gets this long to take what is left. In milliseconds. */
const drainMs = 30_000

/** Standard output for records: nothing is lost at the end, and a reader that goes away is noticed. */
export interface Writer {
  /** Writes a text; resolves when the reader can take more. After the reader has gone, it drops the text. */
  write(text: string): Promise<void>
  /** Resolves when all is written, the reader has gone, or 30 s have passed. */
  flush(): Promise<void>
  /** Resolves when the reader has gone away. */
  readonly gone: Promise<void>
}

/** Makes the writer of a stream. */
export function createWriter(stream: NodeJS.WriteStream): Writer {
  const { promise: gone, resolve: leave } = Promise.withResolvers<void>()
  let isGone = false
  let last: Promise<void> = Promise.resolve()
  stream.on('error', () => {
    isGone = true
    leave()
  })
  return {
    gone,
    write(text) {
      if (isGone) return Promise.resolve()
      last = new Promise((resolve) => stream.write(text, () => resolve()))
      return Promise.race([last, gone])
    },
    async flush() {
      using patience = new Patience(drainMs)
      await Promise.race([last, gone, patience.over])
    },
  }
}

/** A limited wait that ends with its scope. */
class Patience implements Disposable {
  readonly over: Promise<void>
  readonly #controller = new AbortController()

  constructor(ms: number) {
    this.over = sleep(ms, undefined, { signal: this.#controller.signal }).catch(() => undefined)
  }

  [Symbol.dispose](): void {
    this.#controller.abort()
  }
}
