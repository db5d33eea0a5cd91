export type { TranscriptErrorCode, TranscriptErrorFacts } from './errors.ts'
export { isTranscriptError, TranscriptError } from './errors.ts'
export { toEvents, toRecords } from './event-records.ts'
export type { SessionListing, SessionPlace } from './find-sessions.ts'
export type { LoadReport, SkippedLine } from './load.ts'
export { openTranscript } from './open-transcript.ts'
export type { SkipReason } from './parse-line.ts'
export type { Prompt } from './prompts.ts'
export { readLastRecord } from './read-last-record.ts'
export type { ReadEventsOptions, ReadTranscript, ReadTranscriptOptions } from './read-transcript.ts'
export { readEvents, readTranscript } from './read-transcript.ts'
export type { RecordFacts, RecordPlace, TranscriptRecord } from './record.ts'
export type {
  ForkSessionOptions,
  ListSessionsOptions,
  SessionStore,
  SessionStoreOptions,
} from './session-store.ts'
export { createSessionStore } from './session-store.ts'
export type { OpenSidechainOptions, SidechainFiles, SidechainMeta } from './sidechain.ts'
export { openSidechain, readSidechainMeta, sidechainFiles } from './sidechain.ts'
export type { SessionSummary } from './summary.ts'
export type {
  AppendOptions,
  Compaction,
  OpenTranscriptOptions,
  SayOptions,
  Transcript,
} from './transcript.ts'
export { unknownOutcomeText } from './unknown-outcome.ts'
