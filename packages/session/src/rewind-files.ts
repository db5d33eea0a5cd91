import { type RewindFilesResponse, toRewindFilesResponse } from '@x/checkpoint'
import type { Session } from './session.ts'

/** How files are brought back. */
export interface RewindFilesOptions {
  /** Say what would be done, and do nothing. @default false */
  readonly dryRun?: boolean
  /** Overwrite what somebody else has changed since, after a copy of it was kept. @default false */
  readonly overwriteUserChanges?: boolean
}

/** Brings files back to what they were before a prompt. @throws Error while a query runs. */
export async function rewindFiles(
  { checkpoints, running }: Session,
  userMessageId: string,
  options: RewindFilesOptions = {},
): Promise<RewindFilesResponse> {
  if (checkpoints === undefined) return { canRewind: false, error: 'This session keeps no checkpoints.' }
  if (running !== undefined && options.dryRun !== true)
    throw new Error('Files cannot be rewound while a query runs; interrupt it first.')
  return toRewindFilesResponse(await checkpoints.rewind(userMessageId, options))
}
