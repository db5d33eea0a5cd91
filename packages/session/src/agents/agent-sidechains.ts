import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject, SessionRecord } from '@x/contract'
import type { AgentMeta, Sidechain, Sidechains, StoredAgent } from '@x/subagent'
import type { EnteredWorktree } from '@x/tools-worktree'
import {
  type Compaction,
  isTranscriptError,
  openSidechain,
  type RecordFacts,
  readSidechainMeta,
  readTranscript,
  sidechainFiles,
  type Transcript,
} from '@x/transcript'
import { createEventStamp } from '../event-stamp.ts'
import { createGitBranch } from '../log/git-branch.ts'
import type { SessionLog } from '../log/session-log.ts'
import type { SessionSetup } from '../session-setup.ts'
import { version } from '../version.ts'
import { readWorktreeRecord, toWorktreeRecord, worktreeRecordType } from '../worktrees/worktree-record.ts'
import type { AgentPlaces } from './agent-place.ts'
import { readRunningRecord, runningRecordType, toRunningRecord } from './running-record.ts'

/** The transcripts of a session's agents, below the folder of the session. */
export interface AgentSidechains extends Sidechains, AgentPlaces {
  /** Writes that an agent's conversation was made shorter. */
  compact(agentId: string, compaction: Compaction): Promise<void>
}

/** Keeps the transcripts of agents beside that of their session. */
export function createAgentSidechains(
  { sessionId, home }: Pick<SessionSetup, 'sessionId' | 'home'>,
  log: () => SessionLog,
): AgentSidechains {
  const open = new Map<string, Transcript>()
  // The folder is settled when the session's own log is open; nothing runs before.
  const folder = (): string => log().folder ?? home.folder
  const worktreeOf = (agentId: string): EnteredWorktree | undefined => {
    const entered = readWorktreeRecord(open.get(agentId)?.metadata.get(worktreeRecordType))
    return entered === 'left' ? undefined : entered
  }
  return {
    async open(agentId, meta) {
      const gitBranch = createGitBranch()
      const placeNow = (): Partial<RecordFacts> => {
        const cwd = worktreeOf(agentId)?.worktree.path ?? meta.cwd
        return { cwd, version, gitBranch: gitBranch(cwd) }
      }
      const transcript = await openSidechain(folder(), agentId, {
        sessionId,
        facts: placeNow,
        meta: toStored(meta),
      })
      open.set(agentId, transcript)
      return toSidechain(transcript, {
        sessionId,
        async onClose(end) {
          open.delete(agentId)
          await rewriteMeta(folder(), agentId, { ...toStored(meta), ...end })
        },
      })
    },
    async find(idOrName) {
      const agentId = (await readMeta(folder(), idOrName)) ? idOrName : await findByName(folder(), idOrName)
      return agentId === undefined ? undefined : readStored(folder(), agentId)
    },
    worktreeOf,
    noteWorktree(agentId, entered) {
      void open
        .get(agentId)
        ?.appendMetadata(toWorktreeRecord(entered))
        .catch(() => {})
    },
    async compact(agentId, compaction) {
      await open.get(agentId)?.appendCompaction(compaction)
    },
  }
}

interface SidechainFacts {
  readonly sessionId: string
  readonly onClose: (end: JsonObject) => Promise<void>
}

function toSidechain(transcript: Transcript, { sessionId, onClose }: SidechainFacts): Sidechain {
  const stamp = createEventStamp(sessionId, transcript.nextSequence)
  return {
    path: transcript.path,
    append: (messages) => transcript.append(messages),
    noteRunning(tasks) {
      void transcript.appendMetadata(toRunningRecord(tasks)).catch(() => {})
    },
    beforeCall: (toolUseId, message) => transcript.beforeCall(toolUseId, message),
    record(record: SessionRecord) {
      // A mark of a compaction stands in the file already. What cannot be written ends the run at its next request.
      if (record.type === 'system' && record.subtype === 'compact_boundary') return
      void transcript.appendEvents([stamp(record)]).catch(() => {})
    },
    async close({ status, isStoppedByUser }) {
      await transcript.close()
      await onClose({ status, isStoppedByUser })
    },
  }
}

/** The names of fields that other readers know, and ours beside them. */
function toStored(meta: AgentMeta): JsonObject & { readonly agentType: string } {
  return { ...meta, ...(meta.worktree && { worktreePath: meta.worktree.path }) }
}

async function rewriteMeta(
  folder: string,
  agentId: string,
  meta: JsonObject & { readonly agentType: string },
): Promise<void> {
  const transcript = await openSidechain(folder, agentId, { meta })
  await transcript.close()
}

async function readMeta(folder: string, agentId: string): Promise<AgentMeta | undefined> {
  const meta: JsonObject | undefined = await readSidechainMeta(folder, agentId).catch(noneIfNoId)
  return meta !== undefined && isAgentMeta(meta) ? meta : undefined
}

/** What was asked for may be a name, and none that a file can have. */
function noneIfNoId(error: unknown): undefined {
  if (isTranscriptError(error) && error.code === 'invalid-id') return undefined
  throw error
}

function isAgentMeta(meta: JsonObject): meta is JsonObject & AgentMeta {
  const texts = ['agentType', 'description', 'toolUseId', 'model', 'cwd']
  return (
    texts.every((name) => typeof meta[name] === 'string') &&
    typeof meta['depth'] === 'number' &&
    Array.isArray(meta['toolNames'])
  )
}

/** The agent that had this name last. */
async function findByName(folder: string, name: string): Promise<string | undefined> {
  const files = await readdir(join(folder, 'subagents')).catch(() => [])
  const ids = files.flatMap((file) => /^agent-(.+)\.meta\.json$/.exec(file)?.[1] ?? [])
  const named = await Promise.all(
    ids.map(async (agentId) => {
      const meta = await readMeta(folder, agentId)
      if (meta?.name !== name) return undefined
      return { agentId, mtimeMs: (await stat(sidechainFiles(folder, agentId).metaPath)).mtimeMs }
    }),
  )
  const found = named.filter((one) => one !== undefined)
  return found.toSorted((one, other) => one.mtimeMs - other.mtimeMs).at(-1)?.agentId
}

async function readStored(folder: string, agentId: string): Promise<StoredAgent | undefined> {
  const meta = await readMeta(folder, agentId)
  if (meta === undefined) return undefined
  const { path } = sidechainFiles(folder, agentId)
  const { messages, metadata } = await readTranscript(path, { isSidechain: true })
  return { agentId, meta, messages, running: readRunningRecord(metadata.get(runningRecordType)) }
}
