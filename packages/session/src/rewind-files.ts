import { type RewindFilesResponse, toRewindFilesResponse } from '@x/checkpoint'
import { keepAlive } from './keep-alive.ts'
import type { Session } from './session.ts'

/** How files are brought back. */
export interface RewindFilesOptions {
  /** Say what would be done, and do nothing. @default false */
  readonly dryRun?: boolean
  /** Overwrite what somebody else has changed since, after a copy of it was kept. @default false */
  readonly overwriteUserChanges?: boolean
}

/** Brings files back to what they were before a prompt, once nothing that was interrupted can change them. @throws Error while a query or an agent runs. */
export async function rewindFiles(
  session: Session,
  userMessageId: string,
  options: RewindFilesOptions = {},
): Promise<RewindFilesResponse> {
  const { checkpoints } = session
  if (checkpoints === undefined) return { canRewind: false, error: 'This session keeps no checkpoints.' }
  if (options.dryRun !== true) {
    assertRests(session)
    await keepAlive(session.settled)
    // The next one may have begun meanwhile.
    assertRests(session)
  }
  return toRewindFilesResponse(await checkpoints.rewind(userMessageId, options))
}

function assertRests({ running, setup }: Session): void {
  if (running !== undefined)
    throw new Error('Files cannot be rewound while a query runs; interrupt it first.')
  const isAgentAtWork = setup.tasks
    .list()
    .some(({ task, end }) => end === undefined && task.type === 'local_agent')
  if (isAgentAtWork)
    throw new Error('Files cannot be rewound while agents work in the background; stop them first.')
}
