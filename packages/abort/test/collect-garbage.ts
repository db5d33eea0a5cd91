import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Collects garbage until finalizers have had their turns. */
export async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await setImmediate()
    collect()
  }
  await setImmediate()
}

/** Watches an object that `make` creates and keeps only what `make` returns beside it. */
export function watch<Kept>(make: () => { readonly watched: object; readonly kept: Kept }): {
  readonly kept: Kept
  isCollected: () => Promise<boolean>
} {
  const { watched, kept } = make()
  const ref = new WeakRef(watched)
  return {
    kept,
    isCollected: async () => {
      for (let attempt = 0; attempt < 5 && ref.deref() !== undefined; attempt += 1) await collectGarbage()
      return ref.deref() === undefined
    },
  }
}
