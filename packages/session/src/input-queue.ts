import { toReminder } from './reminder.ts'
import type { UserInput } from './session-options.ts'

/** The user's messages on their way into a session. One reader. */
export interface InputQueue {
  /** Puts a message in. After `close` it is dropped. */
  push(input: UserInput): void
  /** Puts a message in front of all that wait. */
  putFirst(input: UserInput): void
  /**
   * Lets the model hear a text that no person wrote: in the running turn, else in one of its own; counts after `close` too. Returns the
   * message that tells it.
   */
  wake(text: string): UserInput
  /** No more messages will come; with an error, the reader gets it behind what waits. */
  close(error?: unknown): void
  /** The next message that starts a turn, with those before it that only wait to go along; undefined at the end. */
  take(): Promise<readonly UserInput[] | undefined>
  /** Takes out the messages that should be heard now. */
  takeNow(): readonly UserInput[]
  /** Takes out everything; returns what it was. */
  clear(): readonly UserInput[]
  /** What waits. */
  readonly waiting: readonly UserInput[]
}

/** Makes an empty queue. */
export function createInputQueue(): InputQueue {
  let waiting: UserInput[] = []
  let end: { readonly error?: unknown } | undefined
  let wake: (() => void) | undefined

  function change(): void {
    wake?.()
    wake = undefined
  }

  function put(next: UserInput[]): void {
    waiting = next
    change()
  }

  function takeOut(isWanted: (input: UserInput) => boolean): readonly UserInput[] {
    const taken = waiting.filter(isWanted)
    waiting = waiting.filter((input) => !isWanted(input))
    return taken
  }

  return {
    get waiting() {
      return waiting
    },
    push: (input) => (end === undefined ? put([...waiting, input]) : undefined),
    putFirst: (input) => put([input, ...waiting]),
    wake(text) {
      const input = createWake(text)
      put([...waiting, input])
      return input
    },
    close(error) {
      end ??= error === undefined ? {} : { error }
      change()
    },
    async take() {
      for (;;) {
        const index = waiting.findIndex(({ shouldQuery }) => shouldQuery !== false)
        if (index >= 0) return waiting.splice(0, index + 1)
        if (end !== undefined) {
          if (end.error !== undefined) throw end.error
          return undefined
        }
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    takeNow: () => takeOut(({ priority }) => priority === 'now'),
    clear: () => takeOut(() => true),
  }
}

/** Whether no person wrote this message: it came by `wake`. */
export function isWake(input: UserInput): boolean {
  return wakes.has(input)
}

const wakes = new WeakSet<UserInput>()

function createWake(text: string): UserInput {
  const input: UserInput = { type: 'user', message: toReminder(text), priority: 'now' }
  wakes.add(input)
  return input
}
