import { createAsyncQueue } from './async-queue.ts'

/**
 * Merges async generators into one: values leave as they come, and only `cap` generators run at a time.
 *
 * The next one starts as soon as one ends. A generator is asked for its next value when the last one was taken. An error in one, or
 * leaving early, closes all that were started; one that is busy then is not waited for.
 *
 * @throws RangeError if `cap` is neither a positive whole number nor `Infinity`.
 *
 * @example
 * for await (const line of mergeGenerators(files.map(readLines), 4)) console.log(line)
 */
export function mergeGenerators<Value>(
  generators: Iterable<AsyncIterable<Value>>,
  cap: number,
): AsyncGenerator<Value, void, undefined> {
  if (cap !== Infinity && !(Number.isInteger(cap) && cap > 0)) {
    throw new RangeError(`cap must be a positive whole number or Infinity, but is ${cap}`)
  }
  return merge(generators, cap)
}

/** What a started generator came up with. */
interface Arrival<Value> {
  readonly source: AsyncIterator<Value>
  readonly result: IteratorResult<Value>
}

async function* merge<Value>(
  generators: Iterable<AsyncIterable<Value>>,
  cap: number,
): AsyncGenerator<Value, void, undefined> {
  const arrivals = createAsyncQueue<Arrival<Value>>()
  const waiting = generators[Symbol.iterator]()
  const started = new Set<AsyncIterator<Value>>()

  function startNext(): void {
    const next = waiting.next()
    if (next.done === true) return
    const source = next.value[Symbol.asyncIterator]()
    started.add(source)
    ask(source)
  }

  function ask(source: AsyncIterator<Value>): void {
    source.next().then(
      (result) => arrivals.push({ source, result }),
      // It stays among the started, so that its error is not lost when the others end first.
      (error: unknown) => arrivals.fail(error),
    )
  }

  try {
    for (let before = -1; started.size < cap && started.size > before; ) {
      before = started.size
      startNext()
    }
    if (started.size === 0) return
    for await (const { source, result } of arrivals) {
      if (result.done === true) {
        started.delete(source)
        startNext()
      } else {
        yield result.value
        ask(source)
      }
      if (started.size === 0) return
    }
  } finally {
    waiting.return?.()
    for (const source of started) close(source)
  }
}

/** Asks a generator to end. One that waits for something itself ends only after that, so nobody waits for it here. */
function close(source: AsyncIterator<unknown>): void {
  const ended = source.return?.()
  ended?.then(undefined, () => undefined)
}
