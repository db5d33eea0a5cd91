import { randomUUID } from 'node:crypto'
import { TranscriptError } from './errors.ts'
import { readRecords } from './read-transcript.ts'
import { isObject, type TranscriptRecord } from './record.ts'

/** What a fork is made of. */
export interface ForkOptions {
  /** The new session. */
  readonly sessionId: string
  /** `uuid` of the last record that is copied. @default the last one */
  readonly upTo?: string | undefined
  /** What the new session is called. */
  readonly title: string
  /** The time of its last record, in ISO 8601. */
  readonly timestamp: string
}

const chainTypes = new Set(['user', 'assistant', 'system', 'attachment', 'progress'])
/** Fields that belong to the session that was copied. */
const dropped = new Set(['teamName', 'agentName', 'slug', 'sourceToolAssistantUUID', 'sequence'])

/**
 * The records of a copy of a session: all of its conversation under new names, without what agents and progress brought.
 *
 * @throws TranscriptError `not-found` if `upTo` is not in it, or there is nothing to copy.
 */
export async function forkRecords(path: string, options: ForkOptions): Promise<readonly TranscriptRecord[]> {
  const { records, replacements } = await readForFork(path, options.upTo)
  const copied = records.filter(({ type }) => type !== 'progress')
  if (copied.length === 0) throw new TranscriptError('not-found', 'There is nothing to fork', { file: path })
  const names = new Map(copied.map(({ uuid }) => [uuid, randomUUID()]))
  const parents = new Map(records.map((record) => [record.uuid, record]))
  const wanted = ancestorsOf(options.upTo, parents)
  const forked = copied.map((record, index) =>
    forkRecord(record, { options, names, parents, wanted, isLast: index === copied.length - 1 }),
  )
  const { sessionId, title } = options
  return [
    ...forked,
    ...(replacements.length > 0 ? [{ type: 'content-replacement', sessionId, replacements }] : []),
    { type: 'custom-title', sessionId, customTitle: title },
  ]
}

async function readForFork(
  path: string,
  upTo: string | undefined,
): Promise<{ readonly records: readonly TranscriptRecord[]; readonly replacements: readonly unknown[] }> {
  const records = new Map<string, TranscriptRecord>()
  const replacements: unknown[] = []
  for await (const record of readRecords(path)) {
    const { type, uuid } = record
    if (type === 'content-replacement') replacements.push(...listOf(record['replacements']))
    if (uuid === undefined || !isConversation(record)) continue
    if (!records.has(uuid)) records.set(uuid, record)
    if (uuid === upTo) break
  }
  if (upTo !== undefined && !records.has(upTo)) {
    throw new TranscriptError('not-found', `No message found with uuid: ${upTo}`, { file: path })
  }
  return { records: [...records.values()], replacements }
}

function isConversation(record: TranscriptRecord): boolean {
  return chainTypes.has(record.type) && record['isSidechain'] !== true
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

interface ForkState {
  readonly options: ForkOptions
  readonly names: ReadonlyMap<string | undefined, string>
  readonly parents: ReadonlyMap<string | undefined, TranscriptRecord>
  readonly isLast: boolean
  /** The end that was asked for, and all before it in the chain. */
  readonly wanted: ReadonlySet<string | undefined>
}

function forkRecord(record: TranscriptRecord, state: ForkState): TranscriptRecord {
  const { type, uuid, parentUuid, logicalParentUuid, sessionId, compactMetadata: _, ...rest } = record
  const { options, names, isLast } = state
  const kept = Object.entries(rest).filter(([name]) => !dropped.has(name))
  return {
    type,
    uuid: names.get(uuid) ?? randomUUID(),
    parentUuid: parentUuid === undefined ? null : newParent(parentUuid, state),
    ...(typeof logicalParentUuid === 'string' && { logicalParentUuid: names.get(logicalParentUuid) ?? null }),
    ...Object.fromEntries(kept),
    ...renamed(record, state),
    isSidechain: false,
    sessionId: options.sessionId,
    ...(isLast && { timestamp: options.timestamp }),
    forkedFrom: { sessionId, messageUuid: uuid },
  }
}

/** The nearest record before that was copied. A link that was lost stays lost: the loader knows what to do. */
function newParent(parentUuid: string | null, { names, parents }: ForkState): string | null {
  const seen = new Set<string>()
  for (
    let parent: string | null | undefined = parentUuid;
    typeof parent === 'string' && !seen.has(parent);
  ) {
    const name = names.get(parent)
    if (name !== undefined) return name
    seen.add(parent)
    if (!parents.has(parent)) return parent
    parent = parents.get(parent)?.parentUuid
  }
  return null
}

/** A compaction that the copy ends in was written to its end; one that the original ends in, cut off, stays so. */
function renamed(record: TranscriptRecord, { names, wanted }: ForkState): object {
  const metadata = record['compactMetadata']
  if (!isObject(metadata)) return metadata === undefined ? {} : { compactMetadata: metadata }
  const { lastUuid, ...rest } = metadata
  if (typeof lastUuid !== 'string') return { compactMetadata: metadata }
  const isEnd = !names.has(lastUuid) && wanted.has(record.uuid)
  return { compactMetadata: isEnd ? rest : { ...rest, lastUuid: names.get(lastUuid) ?? lastUuid } }
}

/** A record and all before it in the chain. */
function ancestorsOf(
  uuid: string | undefined,
  parents: ReadonlyMap<string | undefined, TranscriptRecord>,
): ReadonlySet<string | undefined> {
  const seen = new Set<string | undefined>()
  for (let next: string | null | undefined = uuid; typeof next === 'string' && !seen.has(next); ) {
    seen.add(next)
    next = parents.get(next)?.parentUuid
  }
  return seen
}
