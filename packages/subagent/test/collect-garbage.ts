import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Collects garbage until finalizers have had their turns; gives the heap in use, in bytes. */
export async function collectGarbage(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    await setImmediate()
    collect()
  }
  return process.memoryUsage().heapUsed
}
