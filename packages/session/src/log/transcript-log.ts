import type { SessionEvent } from '@x/contract'
import { openTranscript, type RecordFacts, type SessionPlace, type Transcript } from '@x/transcript'
import { createEventStamp } from '../event-stamp.ts'
import type { SessionLog } from './session-log.ts'

/** How a session's transcript is opened. */
export interface TranscriptLogOptions {
  readonly place: SessionPlace
  readonly sessionId: string
  /** The record after which the session goes on. @default the last one */
  readonly resumeAt?: string | undefined
  readonly facts: () => Partial<RecordFacts>
  readonly signal: AbortSignal
}

/**
 * Opens the transcript of a session.
 *
 * @throws TranscriptError where another writer has it, or it cannot be read.
 */
export async function openTranscriptLog(options: TranscriptLogOptions): Promise<SessionLog> {
  const { place, sessionId, resumeAt, facts, signal } = options
  const transcript = await openTranscript(place.path, {
    sessionId,
    facts,
    signal,
    ...(resumeAt === undefined ? {} : { resumeAt }),
  })
  const writer = new EventWriter(transcript)
  const stamp = createEventStamp(sessionId, transcript.nextSequence)
  return {
    history: {
      async append(messages) {
        writer.assertSound()
        await transcript.append(messages)
      },
      async beforeCall(toolUseId, message) {
        writer.assertSound()
        await transcript.beforeCall?.(toolUseId, message)
      },
    },
    messages: transcript.messages,
    waitingCalls: transcript.waitingCalls,
    path: place.path,
    folder: place.folder,
    metadata: transcript.metadata,
    notices: describeReport(place.path, transcript),
    async keep(record) {
      const event = stamp(record)
      await writer.write(event)
      return event
    },
    say: (message, said) => transcript.say(message, said),
    compact: (compaction) => transcript.appendCompaction(compaction),
    note: (record) => transcript.appendMetadata(record),
    [Symbol.asyncDispose]: () => transcript[Symbol.asyncDispose](),
  }
}

/** Writes events. The first that cannot be written ends the session's queries: what is not logged is not sent. */
class EventWriter {
  readonly #transcript: Transcript
  #failure: { readonly error: unknown } | undefined

  constructor(transcript: Transcript) {
    this.#transcript = transcript
  }

  async write(event: SessionEvent): Promise<void> {
    // The mark of a compaction stands in the file already, in front of the conversation that goes on.
    if (event.type === 'system' && event.subtype === 'compact_boundary')
      return this.#transcript.noteSequence(event.sequence)
    try {
      await this.#transcript.appendEvents([event])
    } catch (error) {
      this.#failure ??= { error }
    }
  }

  assertSound(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }
}

function describeReport(path: string, { report }: Transcript): readonly string[] {
  const { skippedCount, skipped, relinked } = report
  const lines = skipped.flatMap(({ line }) => line ?? []).slice(0, 5)
  const where =
    lines.length === 0 ? '' : ` (lines ${lines.join(', ')}${skippedCount > lines.length ? ' ...' : ''})`
  return [
    ...(skippedCount === 0 ? [] : [`${path}: ${skippedCount} damaged lines were left out${where}`]),
    ...(relinked === 0 ? [] : [`${path}: ${relinked} lost links were taken from the order of the file`]),
  ]
}
