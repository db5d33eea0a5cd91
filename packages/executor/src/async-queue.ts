/** A queue that callbacks write to and one reader iterates. */
export interface AsyncQueue<Value> extends AsyncIterable<Value> {
  /** Hands a value to a waiting reader directly, else puts it at the end. After the end it is dropped. */
  push(value: Value): void
  /** No further value comes; the reader ends when it has read all. */
  end(): void
  /** As `end`, but the reader gets this error after the last value. */
  fail(error: unknown): void
}

/** A reader that waits. */
interface Reader<Value> {
  resolve(result: IteratorResult<Value, undefined>): void
  reject(error: unknown): void
}

type Ending = { readonly error?: { readonly value: unknown } }

/**
 * Creates a queue from callbacks to an async iterable.
 *
 * Values are kept until they are read, without a limit. It can be iterated once: a second iteration would take values away from
 * the first, so it throws a `TypeError`. A reader that leaves early ends the queue.
 *
 * @example
 * const queue = createAsyncQueue<string>()
 * socket.on('message', (text) => queue.push(text)).on('close', () => queue.end())
 * for await (const text of queue) console.log(text)
 */
export function createAsyncQueue<Value>(): AsyncQueue<Value> {
  return new CallbackQueue()
}

class CallbackQueue<Value> implements AsyncQueue<Value> {
  #values: Value[] = []
  #nextValue = 0
  #readers: Reader<Value>[] = []
  #nextReader = 0
  #ending: Ending | undefined
  #isIterated = false

  push(value: Value): void {
    if (this.#ending !== undefined) return
    const reader = this.#takeReader()
    if (reader === undefined) this.#values.push(value)
    else reader.resolve({ value, done: false })
  }

  end(): void {
    this.#close({})
  }

  fail(error: unknown): void {
    this.#close({ error: { value: error } })
  }

  [Symbol.asyncIterator](): AsyncIterator<Value, undefined> {
    if (this.#isIterated) throw new TypeError('an async queue can be iterated only once')
    this.#isIterated = true
    return { next: () => this.#next(), return: () => this.#leave() }
  }

  #next(): Promise<IteratorResult<Value, undefined>> {
    if (this.#nextValue < this.#values.length)
      return Promise.resolve({ value: this.#takeValue(), done: false })
    const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Value, undefined>>()
    this.#readers.push({ resolve, reject })
    if (this.#ending !== undefined) this.#finish()
    return promise
  }

  #leave(): Promise<IteratorResult<Value, undefined>> {
    this.#values = []
    this.#nextValue = 0
    this.#ending = {}
    this.#finish()
    return Promise.resolve({ value: undefined, done: true })
  }

  #close(ending: Ending): void {
    if (this.#ending !== undefined) return
    this.#ending = ending
    // Readers wait only where no value is left.
    if (this.#nextReader < this.#readers.length) this.#finish()
  }

  /** Tells waiting readers of the end; the first of them gets the error, if there is one. */
  #finish(): void {
    for (let reader = this.#takeReader(); reader !== undefined; reader = this.#takeReader()) {
      const error = this.#ending?.error
      this.#ending = {}
      if (error === undefined) reader.resolve({ value: undefined, done: true })
      else reader.reject(error.value)
    }
  }

  #takeValue(): Value {
    // The caller has looked: there is one.
    const value = this.#values[this.#nextValue++] as Value
    if (this.#nextValue === this.#values.length) {
      this.#values = []
      this.#nextValue = 0
    }
    return value
  }

  #takeReader(): Reader<Value> | undefined {
    const reader = this.#readers[this.#nextReader]
    if (reader === undefined) return undefined
    this.#nextReader++
    if (this.#nextReader === this.#readers.length) {
      this.#readers = []
      this.#nextReader = 0
    }
    return reader
  }
}
