import type { SessionEvent } from '@x/contract'
import { Patience } from '../patience.ts'
import type { UpkeepOptions } from './run-upkeep.ts'

/** So long the end of a run waits for the work of the day. In milliseconds. */
const graceMs = 2_000

/** Tidies beside a run. Disposing waits a little for what has begun, then stops it. */
export interface Upkeep extends AsyncDisposable {
  /** Must be told of every event: the work begins when the first answer has come. */
  saw(event: SessionEvent): void
}

/** Makes the upkeep of one run; a failure of it is never one of the run. */
export function createUpkeep(options: Omit<UpkeepOptions, 'signal'>): Upkeep {
  const controller = new AbortController()
  const { signal } = controller
  let work: Promise<void> | undefined
  return {
    saw({ type }) {
      if (type === 'system') return
      work ??= import('./run-upkeep.ts')
        .then(({ runUpkeep }) => runUpkeep({ ...options, signal }))
        .catch(() => undefined)
    },
    async [Symbol.asyncDispose]() {
      if (work === undefined) return
      using patience = new Patience(graceMs)
      await Promise.race([work, patience.over])
      controller.abort()
      await work
    },
  }
}
