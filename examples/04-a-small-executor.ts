// Exercise 3: an executor of one's own in fifty lines, to see what the real one does. It has the start rule (alone, or safe
// beside safe), results in order, and a sibling abort. It lacks nearly everything else.
import { setTimeout as sleep } from 'node:timers/promises'

/** A call of the small executor. */
export interface SmallCall {
  readonly name: string
  readonly isSafe: boolean
  readonly cancelsSiblings?: boolean
  run(signal: AbortSignal): Promise<string>
}

/** Runs calls by the start rule and yields their results in order. A failure of a call that says so cancels the others. */
export async function* runSmall(calls: readonly SmallCall[]): AsyncGenerator<string> {
  const siblings = new AbortController()
  const running = new Set<SmallCall>()
  const results = calls.map(() => Promise.withResolvers<string>())
  let free = Promise.withResolvers<void>()

  const mayStart = (call: SmallCall): boolean =>
    running.size === 0 || (call.isSafe && [...running].every((other) => other.isSafe))

  async function execute(call: SmallCall): Promise<string> {
    if (siblings.signal.aborted) return `${call.name}: cancelled`
    running.add(call)
    try {
      return `${call.name}: ${await call.run(siblings.signal)}`
    } catch (error) {
      if (siblings.signal.aborted) return `${call.name}: cancelled`
      if (call.cancelsSiblings === true) siblings.abort()
      return `${call.name}: ${error instanceof Error ? error.message : 'failed'}`
    } finally {
      running.delete(call)
      free.resolve()
      free = Promise.withResolvers()
    }
  }

  // Starting goes on beside yielding: a result that is waited for must not hold back the next start.
  async function startAll(): Promise<void> {
    for (const [index, call] of calls.entries()) {
      while (!siblings.signal.aborted && !mayStart(call)) await free.promise
      results[index]?.resolve(execute(call))
    }
  }

  const started = startAll()
  for (const { promise } of results) yield await promise
  await started
}

/** Three calls: two side by side, one alone that fails and cancels the fourth. */
export async function main() {
  const look = (name: string, ms: number): SmallCall => ({
    name,
    isSafe: true,
    run: async (signal) => sleep(ms, 'seen', { signal }),
  })
  const results: string[] = []
  const fail: SmallCall = {
    name: 'mkdir',
    isSafe: false,
    cancelsSiblings: true,
    run: () => Promise.reject(new Error('exists')),
  }
  for await (const result of runSmall([look('a', 20), look('b', 5), fail, look('c', 5)])) results.push(result)
  return results
}

if (import.meta.main) console.log(await main())
