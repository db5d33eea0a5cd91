import type { TextBlock } from '@x/contract'
import type { Compact } from '@x/loop'
import type { SessionFileCache } from '@x/tools-files'
import { runStartHooks } from '../hooks/run-start-hooks.ts'
import type { SessionLog } from '../log/session-log.ts'
import type { Notes } from '../notes/open-notes.ts'
import type { SessionSetup } from '../session-setup.ts'
import { attachWork } from './attachments.ts'
import { createHookedCompactor, remind } from './hooked-compactor.ts'

/** What a session's compactor is made of. */
export interface SessionCompactorFacts {
  readonly setup: SessionSetup
  readonly files: SessionFileCache
  readonly notes: Pick<Notes, 'attachments'>
  /** What the session is written to now. */
  readonly log: () => SessionLog
  /** The model of the next request. */
  readonly model: () => string
}

/** Makes what shortens the session's own conversation. */
export function createSessionCompactor(facts: SessionCompactorFacts): Compact {
  const { setup, files, notes, log, model } = facts
  const { hooks, memory, tasks, access, environmentFile } = setup
  const isHidden = (path: string): boolean => access.permissions.isReadDenied(path)
  return createHookedCompactor({
    setup,
    hooks,
    files,
    log: (compaction) => log().compact(compaction),
    attachments: async (signal) => [
      ...(await memory.afterCompaction(signal)).map(remind),
      ...(await notes.attachments()).map(remind),
      ...(await attachWork({ files, tasks, isHidden })).map(remind),
      ...(await startAgain(signal)),
    ],
  })

  /** What hooks of the start say about it stands behind the summary: the very next request has it. */
  async function startAgain(signal: AbortSignal): Promise<readonly TextBlock[]> {
    const started = await runStartHooks(hooks, environmentFile, { source: 'compact', model: model(), signal })
    return started.context.flatMap(({ content }) =>
      typeof content === 'string' ? [{ type: 'text', text: content }] : content.filter(isText),
    )
  }
}

function isText(block: { readonly type: string }): block is TextBlock {
  return block.type === 'text'
}
