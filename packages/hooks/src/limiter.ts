/** Runs work, at most some pieces at once; the rest waits in order. */
export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Makes a limiter. */
export function createLimiter(most: number): Limiter {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // A place is handed on, not given back and taken again: nobody can slip in between.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
