import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { JsonObject } from '@x/contract'
import { checkAgentId } from './names.ts'
import { openTranscript } from './open-transcript.ts'
import { isObject } from './record.ts'
import type { OpenTranscriptOptions, Transcript } from './transcript.ts'
import { writeAtomic } from './write-atomic.ts'

/** What is known of an agent beside its conversation. Further fields are kept. */
export interface SidechainMeta extends JsonObject {
  /** The name of the agent's definition. */
  readonly agentType: string
  /** A few words: what it shall do. */
  readonly description?: string
  /** The call that started it. */
  readonly toolUseId?: string
  /** The agent that started it; absent where the main session did. */
  readonly parentAgentId?: string
  /** The worktree it works in. */
  readonly worktreePath?: string
}

/** How an agent's conversation is opened. */
export interface OpenSidechainOptions extends Omit<OpenTranscriptOptions, 'agentId'> {
  /** What is known of the agent. Absent: what was written before stays. */
  readonly meta?: SidechainMeta
}

/** Where an agent's sidechain is, and whose it is. */
export interface SidechainFiles {
  /** Its records. */
  readonly path: string
  /** Its {@link SidechainMeta}. */
  readonly metaPath: string
}

/**
 * Names the files of an agent inside a session's folder.
 *
 * @throws TranscriptError `invalid-id` for an id that may not become a file name.
 */
export function sidechainFiles(sessionFolder: string, agentId: string): SidechainFiles {
  const stem = join(sessionFolder, 'subagents', `agent-${checkAgentId(agentId)}`)
  return { path: `${stem}.jsonl`, metaPath: `${stem}.meta.json` }
}

/**
 * Opens the conversation of an agent for writing, a new one or one to be resumed, and writes what is known of it, in one step that a
 * crash leaves done or not done. `sessionId` is the folder's name unless given.
 *
 * @throws TranscriptError as {@link openTranscript}, and `invalid-id`.
 */
export async function openSidechain(
  sessionFolder: string,
  agentId: string,
  options: OpenSidechainOptions = {},
): Promise<Transcript> {
  const { meta, ...rest } = options
  const { path, metaPath } = sidechainFiles(sessionFolder, agentId)
  const transcript = await openTranscript(path, { sessionId: basename(sessionFolder), ...rest, agentId })
  try {
    if (meta !== undefined) await writeAtomic(metaPath, [`${JSON.stringify(meta, undefined, 2)}\n`])
    return transcript
  } catch (error) {
    await transcript.close()
    throw error
  }
}

/** Reads what is known of an agent; nothing where there is none, or the file is damaged. */
export async function readSidechainMeta(
  sessionFolder: string,
  agentId: string,
): Promise<SidechainMeta | undefined> {
  const { metaPath } = sidechainFiles(sessionFolder, agentId)
  try {
    const value: unknown = JSON.parse(await readFile(metaPath, 'utf8'))
    return isObject(value) && typeof value['agentType'] === 'string'
      ? { ...value, agentType: value['agentType'] }
      : undefined
  } catch {
    return undefined
  }
}
