import { dirname, join } from 'node:path'
import type { TextBlock, Usage } from '@x/contract'
import type { PostSampling, StopHook } from '@x/loop'
import { createAskText, smallModelName } from '../hooks/ask-model.ts'
import type { SessionLog } from '../log/session-log.ts'
import { isOn } from '../session-environment.ts'
import type { SessionSetup } from '../session-setup.ts'
import { memoryFolderName } from './auto-memory-folder.ts'
import { createHideSecrets } from './hide-secrets.ts'
import { createMemoryExtraction } from './memory-extraction.ts'
import { createSessionNotes, readSessionNotes } from './session-notes.ts'

/** What notes a session of itself, and what its conversation gets of that. Nothing, unless it was switched on. */
export interface Notes {
  readonly postSampling: readonly PostSampling[]
  readonly stopHooks: readonly StopHook[]
  /** For a conversation that has become a summary. */
  attachments(): Promise<readonly TextBlock[]>
}

/** Where a session's notes go, and who hears what they cost. */
export interface NotesFacts {
  readonly setup: SessionSetup
  /** What the session is written to now; where nothing is kept, no notes are taken. */
  readonly log: () => SessionLog
  /** Counts what the requests take. */
  readonly count: (name: string, usage: Usage) => void
}

/** Makes the notes that the options of a session ask for. */
export function openNotes({ setup, log, count }: NotesFacts): Notes {
  const { options, endpoint, env } = setup
  const takesNotes = options.sessionNotes === true
  const remembers = options.memoryExtraction === true && !isOn(env, 'CLAUDE_CODE_DISABLE_AUTO_MEMORY')
  if (!takesNotes && !remembers) return noNotes
  const ask = createAskText(endpoint, smallModelName(env), count)
  const hideSecrets = createHideSecrets(env)
  const notesFile = (): string | undefined => below(log(), (folder) => join(folder, 'notes.md'))
  const memoryFolder = (): string | undefined =>
    below(log(), (folder) => join(dirname(folder), memoryFolderName))
  return {
    postSampling: takesNotes ? [createSessionNotes({ ask, file: notesFile, hideSecrets })] : [],
    stopHooks: remembers ? [createMemoryExtraction({ ask, folder: memoryFolder, hideSecrets })] : [],
    async attachments() {
      const path = takesNotes ? notesFile() : undefined
      const notes = path === undefined ? '' : await readSessionNotes(path)
      return notes === '' ? [] : [{ type: 'text', text: `${lead}\n${notes}` }]
    },
  }
}

/** What a session gets that keeps no notes. */
export const noNotes: Notes = { postSampling: [], stopHooks: [], attachments: async () => [] }

const lead =
  'Notes on the session so far, as a small model took them; where they and the summary disagree, look for yourself:'

function below({ folder }: SessionLog, toPath: (folder: string) => string): string | undefined {
  return folder === undefined ? undefined : toPath(folder)
}
