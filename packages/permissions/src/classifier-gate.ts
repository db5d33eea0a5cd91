import type { CallView } from '@x/contract'
import type { Verdict } from './verdict.ts'

/** Judges a call in place of the user, in `auto` mode. A rejection, or `undefined`, leaves it to the user. */
export type Classify = (call: CallView, verdict: Verdict) => Promise<'allow' | 'block' | undefined>

/** The classifier with its memory. */
export interface ClassifierGate {
  /** Begins to judge; the answer is kept for the call. */
  start(call: CallView, verdict: Verdict): void
  /** The judgement; undefined where the user must be asked. */
  judge(call: CallView, verdict: Verdict): Promise<'allow' | 'block' | undefined>
}

const maxBlocksInARow = 3
const maxBlocks = 20

/** Keeps a classifier in bounds: after three blocks in a row, or twenty in all, the user is asked again. */
export function createClassifierGate(classify: Classify): ClassifierGate {
  const started = new WeakMap<object, Promise<'allow' | 'block' | undefined>>()
  let inARow = 0
  let all = 0
  const start = (call: CallView, verdict: Verdict): Promise<'allow' | 'block' | undefined> => {
    const running = started.get(call.input) ?? classify(call, verdict).catch(() => undefined)
    started.set(call.input, running)
    return running
  }
  return {
    start: (call, verdict) => void start(call, verdict),
    judge: async (call, verdict) => {
      if (inARow >= maxBlocksInARow || all >= maxBlocks) return undefined
      const answer = await start(call, verdict)
      if (answer === 'block') {
        inARow += 1
        all += 1
      } else if (answer === 'allow') inARow = 0
      return answer
    },
  }
}
