import type { JsonObject, Message } from '@x/contract'

/**
 * One line of a transcript, as it stands in the file.
 *
 * Records with `uuid` and `parentUuid` form the chain; all others (titles, tags, results ...) have no place in it.
 * Only what this package reads is named here, everything else is kept as it is.
 */
export interface TranscriptRecord extends JsonObject {
  /** `user`, `assistant`, `system`, `attachment`, `progress`, or the kind of a record outside the chain. First key of the line. */
  readonly type: string
  /** Names the record everywhere. */
  readonly uuid?: string
  /** The record before it; null at a root. */
  readonly parentUuid?: string | null
  /** Number of the session event that the record holds; several records of one event share it. */
  readonly sequence?: number
}

/** What a record tells of the place where it was written. */
export interface RecordFacts {
  /** Working folder. */
  readonly cwd: string
  /** Version of the program. */
  readonly version: string
  /** Branch of the working folder; empty where there is none. */
  readonly gitBranch: string
}

/** Where a record goes: all of it that is not in the event or message itself. */
export interface RecordPlace extends RecordFacts {
  /** The record before it in the chain; null at a root. */
  readonly parentUuid: string | null
  /** When, in ISO 8601 UTC with milliseconds. */
  readonly timestamp: string
  /** The agent whose transcript this is; absent in the main one. */
  readonly agentId?: string
}

/** The fields that every record of the chain has, in their order; `type` comes first. */
export function chainFields(
  type: string,
  place: RecordPlace,
  own: { readonly uuid: string; readonly sessionId: string; readonly isSidechain?: boolean },
): TranscriptRecord {
  const { parentUuid, timestamp, agentId, cwd, version, gitBranch } = place
  return {
    type,
    uuid: own.uuid,
    parentUuid,
    isSidechain: own.isSidechain ?? agentId !== undefined,
    userType: 'external',
    sessionId: own.sessionId,
    cwd,
    version,
    gitBranch,
    timestamp,
    ...(agentId !== undefined && { agentId }),
  }
}

/** Cuts a model message into messages of one block each, as records hold them. Texts and user messages stay whole. */
export function splitMessage<Some extends Message>(message: Some): readonly Some[] {
  const { role, content } = message
  if (role !== 'assistant' || typeof content === 'string' || content.length < 2) return [message]
  return content.map((block) => ({ ...message, content: [block] }))
}

/** Tells whether a value is an object with fields, not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
