import { metadataWindowBytes } from './lasting-metadata.ts'
import { openForReading } from './load.ts'
import { parseLine } from './parse-line.ts'
import { readLinesBackward } from './read-lines.ts'
import type { TranscriptRecord } from './record.ts'

/**
 * Gives the last record of a kind that is not part of the conversation, without reading a long transcript whole: the latest of each are
 * repeated, so that they stand near the end. Undefined where there is none, and for a missing file.
 *
 * @throws TranscriptError `unreadable`.
 */
export async function readLastRecord(path: string, type: string): Promise<TranscriptRecord | undefined> {
  await using file = await openForReading(path)
  if (file === undefined) return undefined
  const { size } = await file.stat()
  for await (const lines of readLinesBackward(file, { size })) {
    for (const line of lines) {
      const parsed = parseLine(line)
      if (parsed.kind === 'record' && parsed.record.type === type) return parsed.record
    }
    if (size - (lines.at(-1)?.offset ?? size) > metadataWindowBytes) return undefined
  }
  return undefined
}
