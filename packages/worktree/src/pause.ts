import { setTimeout } from 'node:timers/promises'

/** Waits a moment. Rejects with the reason of the signal, unchanged, and leaves no timer. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
