/** Runs work one after the other, in the order of the calls. A failure is the caller's alone. */
export type Serial = <Value>(work: () => Promise<Value>) => Promise<Value>

/** Makes a {@link Serial}. */
export function createSerial(): Serial {
  let tail: Promise<unknown> = Promise.resolve()
  return (work) => {
    const own = tail.then(work)
    tail = own.catch(() => {})
    return own
  }
}
