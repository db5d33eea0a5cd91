export {
  type CheckpointInfo,
  type Checkpoints,
  type CheckpointsOptions,
  createCheckpoints,
  type RewindOptions,
} from './create-checkpoints.ts'
export {
  CheckpointError,
  type CheckpointErrorCode,
  type CheckpointErrorFacts,
  isCheckpointError,
} from './errors.ts'
export type { CheckpointOperations, CreateOptions, FileFacts, FileOwner } from './operations.ts'
export type { SkipReason } from './plan-file.ts'
export type { CheckpointProblem } from './problem.ts'
export { type RewindFilesResponse, toRewindFilesResponse } from './rewind-files-response.ts'
export type { FailedFile, RewindOutcome, RewindReport, RewoundFile, SkippedFile } from './rewind-outcome.ts'
export type { FileHistorySnapshotFile, FileHistorySnapshotRecord } from './snapshot-record.ts'
