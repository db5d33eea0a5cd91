import { isWake } from './input-queue.ts'
import type { Session } from './session.ts'
import type { UserInput } from './session-options.ts'

/** When the model gets a turn of its own for what came while nobody spoke to it. */
export interface BackgroundTurns {
  /** Whether these messages get a turn. Not, where hooks alone have woken the model too often in a row. */
  mayAnswer(inputs: readonly UserInput[]): boolean
  /** Several may have wanted to tell of an end that the model has been told of meanwhile, or that was refused a turn. */
  isStale(inputs: readonly UserInput[]): boolean
  /** A hook wants no turn for these: what waits goes along with the next message of the user. */
  refuse(inputs: readonly UserInput[]): void
  /** Asks for a turn where something waits that had none yet. */
  askForTurn(): void
}

/** What the model is told where a turn begins because work in the background has ended. */
const endedText = 'Work in the background has ended; you are told of it here.'

/** Lets the model hear that work in the background has ended. */
export function wakeForEnd({ setup: { input } }: Pick<Session, 'setup'>): void {
  endings.add(input.wake(endedText))
}

/** The messages that say so: a hook may use the same words for something else. */
const endings = new WeakSet<UserInput>()

/** Makes the account of a session's turns of this kind. */
export function createBackgroundTurns(session: Session): BackgroundTurns {
  const limit = session.setup.environment.maxStopHookBlocks ?? 8
  let hookTurns = 0
  return {
    mayAnswer(inputs) {
      // Agents are limited by their number and the budget; hooks that wake the model each time it has finished, like Stop hooks.
      hookTurns = inputs.every((one) => isWake(one) && !endings.has(one)) ? hookTurns + 1 : 0
      return limit === 0 || hookTurns <= limit
    },
    isStale: (inputs) => inputs.every((one) => endings.has(one)) && freshOf(session) === 0,
    refuse(inputs) {
      if (!inputs.every(isWake)) return
      session.agents?.notices.take()
      session.agents?.notices.release()
    },
    askForTurn() {
      if (freshOf(session) > 0) wakeForEnd(session)
    },
  }
}

/** What was handed out once gets no turn of its own again: it could go on like that for ever. */
function freshOf({ agents }: Session): number {
  return agents?.notices.fresh ?? 0
}
