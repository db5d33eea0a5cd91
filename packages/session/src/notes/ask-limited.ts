import { createTimeoutAbortController, raceAbort } from '@x/abort'
import type { AskText, TextQuestion } from '../hooks/ask-model.ts'

/** How long an answer may take. In milliseconds. */
export const defaultTimeoutMs = 30_000

/**
 * Asks, and waits only so long. Rejects with the reason of the question's signal when that aborts, and with an error that says what for
 * when the model fails or is late.
 */
export async function askLimited(
  ask: AskText,
  question: TextQuestion,
  { timeoutMs, what }: { readonly timeoutMs: number; readonly what: string },
): Promise<string> {
  using limit = createTimeoutAbortController(timeoutMs, { parent: question.signal })
  try {
    // An endpoint of somebody's own may not hear the signal.
    return await raceAbort(ask({ ...question, signal: limit.signal }), limit.signal)
  } catch (error) {
    question.signal.throwIfAborted()
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
