import { Patience } from '../patience.ts'

/** A slow reader gets this long to take what is left. In milliseconds. */
const drainMs = 30_000

/** Standard output for records: nothing is lost at the end, and a reader that goes away, or does not read, is noticed. */
export interface Writer {
  /** Writes a text; resolves when the reader can take more. After the reader has gone, it drops the text. */
  write(text: string): Promise<void>
  /** Resolves when all is written, or nothing more can be. */
  flush(): Promise<void>
  /** Gives the reader up: what is not written is lost. */
  leave(): void
  /** Resolves when nothing more can be written. */
  readonly gone: Promise<void>
  /** Something could not be written, or was given up. */
  readonly isGone: boolean
  /** Why the output could not be written, unless the reader just went away. */
  readonly problem: string | undefined
}

/** Makes the writer of a stream. */
export function createWriter(stream: NodeJS.WriteStream): Writer {
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  const state: { isGone: boolean; problem: string | undefined } = { isGone: false, problem: undefined }
  let last: Promise<void> = Promise.resolve()

  function leave(): void {
    state.isGone = true
    resolve()
  }

  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') state.problem ??= `Error: the output could not be written: ${error.message}`
    leave()
  })

  async function untilWritten(): Promise<void> {
    using patience = new Patience(drainMs)
    if ((await Promise.race([last, gone, patience.over])) === 'over') leave()
  }

  return {
    gone,
    leave,
    get isGone() {
      return state.isGone
    },
    get problem() {
      return state.problem
    },
    write(text) {
      if (state.isGone) return Promise.resolve()
      last = new Promise((done) => stream.write(text, () => done()))
      return untilWritten()
    },
    flush: untilWritten,
  }
}
