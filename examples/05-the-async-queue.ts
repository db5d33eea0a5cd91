// Exercise 4: write to the async queue before, after and while a reader waits, and see why it is iterated once: what one
// reader takes, another would miss. So a second iteration throws instead of losing values silently.
import { createAsyncQueue } from '@x/executor'

/** Writes at the three moments; gives what was read, and what a second reader is told. */
export async function main() {
  const queue = createAsyncQueue<string>()
  const read: string[] = []
  queue.push('before there is a reader')
  const reader = (async () => {
    for await (const value of queue) read.push(value)
  })()
  await new Promise((resolve) => setImmediate(resolve))
  queue.push('while the reader waits')
  queue.push('while the reader is busy')
  queue.end()
  queue.push('after the end: dropped')
  await reader
  return { read, second: secondIteration(queue) }
}

function secondIteration(queue: AsyncIterable<string>): string {
  try {
    queue[Symbol.asyncIterator]()
    return 'allowed'
  } catch (error) {
    return error instanceof TypeError ? 'TypeError' : 'another error'
  }
}

if (import.meta.main) console.log(await main())
