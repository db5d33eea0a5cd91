import type { BashKit } from './bash-kit.ts'
import { cleanText } from './clean-text.ts'
import type { StartedCommand } from './start-command.ts'

/** How far a running command is. */
export interface BashProgress {
  /** The last lines of the output. */
  readonly output: string
  /** Bytes written so far. */
  readonly totalBytes: number
  /** Since the start, in milliseconds. */
  readonly elapsedMs: number
}

const TAIL_BYTES = 4096

const LAST_LINES = 5

/** A silent command is reported this often, in milliseconds: that it still runs is news too. */
const SILENCE_MS = 1000

/** Reports how far the command is when its output has grown, and once a second, until the returned function is called. */
export function watchProgress(
  { settings: { operations, progressIntervalMs } }: BashKit,
  { outputFile, startedAtMs }: StartedCommand,
  onProgress: (progress: BashProgress) => void,
): () => void {
  let seenBytes = 0
  let reportedAtMs = startedAtMs
  let isOver = false
  const look = async (): Promise<void> => {
    const totalBytes = (await operations.look(outputFile))?.sizeBytes ?? 0
    if (totalBytes !== seenBytes || Date.now() - reportedAtMs >= SILENCE_MS) {
      seenBytes = totalBytes
      reportedAtMs = Date.now()
      const tail = await operations.readRange(outputFile, Math.max(0, totalBytes - TAIL_BYTES), TAIL_BYTES)
      const output = cleanText(tail).trimEnd().split('\n').slice(-LAST_LINES).join('\n')
      if (!isOver) onProgress({ output, totalBytes, elapsedMs: Date.now() - startedAtMs })
    }
    if (!isOver) timer = next()
  }
  // A look that fails says nothing: the end of the command tells what there is to tell.
  const next = (): NodeJS.Timeout => setTimeout(() => void look().catch(() => {}), progressIntervalMs).unref()
  let timer = next()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
