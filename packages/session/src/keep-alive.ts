/** What a timer takes; more would end at once. */
export const longestTimerMs = 2 ** 31 - 1

/**
 * Waits for something that may hold nothing open itself, such as the grace of a call that ignores its abort: without this a
 * program with nothing else to do would end in the middle of it.
 */
export async function keepAlive<Value>(promise: Promise<Value>): Promise<Value> {
  const timer = setTimeout(() => {}, longestTimerMs)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}
