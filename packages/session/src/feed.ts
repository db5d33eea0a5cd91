import type { Session } from './session.ts'
import type { UserInput } from './session-options.ts'
import { assertUserInput } from './user-messages.ts'

/** What a session is told: one text, or messages as they come. */
export type Prompt = string | AsyncIterable<UserInput>

/** Puts the prompt into the queue as it comes; returns the undo. A message to be heard now interrupts what can be. */
export function feed(session: Session, prompt: Prompt): () => void {
  const { input } = session.setup
  if (typeof prompt === 'string') {
    input.push({ type: 'user', message: { role: 'user', content: prompt } })
    input.close()
    return () => {}
  }
  const iterator = prompt[Symbol.asyncIterator]()
  const source = { isStopped: false }
  async function pump(): Promise<void> {
    for (
      let next = await iterator.next();
      next.done !== true && !source.isStopped;
      next = await iterator.next()
    ) {
      assertUserInput(next.value)
      input.push(next.value)
      if (next.value.priority === 'now') session.running?.interrupt()
    }
    input.close()
  }
  pump().catch((error: unknown) => input.close(error ?? new Error('The prompt failed')))
  return () => {
    source.isStopped = true
    // A source that waits for its next message may never settle: it is told, not awaited.
    void (async () => iterator.return?.())().catch(() => {})
  }
}
