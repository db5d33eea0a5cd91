import { type CheckpointSpan, indexOfMessage } from './history.ts'
import type { ChangeLine, StateAfter, StateBefore } from './index-line.ts'

/** What is known of one file since a checkpoint. */
export interface FileTrace {
  readonly path: string
  /** What it was before the first change; `null`: there was no file. */
  readonly target: StateBefore
  /** Folders that were missing before a change, so that it made them. */
  readonly madeFolders: ReadonlySet<string>
  /** Somebody else changed it between two changes of ours. */
  readonly hasForeignChange: boolean
  /** At least one change is known to have been carried out. */
  readonly wasChanged: boolean
  /** What is there if nobody else was at it: the last known content, or that of a change of which only the beginning is known. */
  readonly expected: readonly StateAfter[]
}

/** Finds out about every file changed since a checkpoint, in the order of their first changes. */
export function traceFiles(spans: readonly CheckpointSpan[], messageId: string): readonly FileTrace[] {
  const from = indexOfMessage(spans, messageId)
  const tracks = new Map<string, Track>()
  const changes = changesByNumber(spans)
  for (const entry of spans.slice(from).flatMap(({ entries }) => entries)) {
    const change = changes.get(entry.number)
    if (change === undefined) continue
    // A change that began before the checkpoint and was carried out after it belongs here too.
    if (entry.type === 'change' || !tracks.has(change.path)) follow(tracks, change)
    if (entry.type === 'change') continue
    // A rewind this far back leaves nothing that somebody else has done since.
    const isClean = change.rewindTo !== undefined && indexOfMessage(spans, change.rewindTo) <= from
    settle(tracks.get(change.path), change, isClean)
  }
  return [...tracks.values()].map(({ settled, pending, ...rest }) => ({
    ...rest,
    expected: [settled, ...pending.map(({ after }) => after)],
  }))
}

/** Whether both are the same content, or both no file. */
export function isSameState(left: StateAfter, right: StateAfter): boolean {
  return left?.digest === right?.digest
}

interface Track extends Omit<FileTrace, 'expected'> {
  readonly madeFolders: Set<string>
  hasForeignChange: boolean
  wasChanged: boolean
  settled: StateAfter
  /** Changes of which it is not known whether they were carried out. */
  pending: ChangeLine[]
}

function changesByNumber(spans: readonly CheckpointSpan[]): ReadonlyMap<number, ChangeLine> {
  const entries = spans.flatMap(({ entries }) => entries)
  return new Map(entries.flatMap((entry) => (entry.type === 'change' ? [[entry.number, entry]] : [])))
}

function follow(tracks: Map<string, Track>, change: ChangeLine): void {
  const track = tracks.get(change.path) ?? startTrack(change)
  tracks.set(change.path, track)
  if (!isSameState(track.settled, change.before)) {
    // Found as a pending change would have left it: that one was carried out, and the note of it got lost.
    const carriedOut = track.pending.find(({ after }) => isSameState(after, change.before))
    if (carriedOut === undefined) track.hasForeignChange = true
    else settle(track, carriedOut, false)
    track.settled = change.before
  }
  track.pending.push(change)
  for (const folder of change.madeFolders) track.madeFolders.add(folder)
}

function startTrack({ path, before }: ChangeLine): Track {
  return {
    path,
    target: before,
    madeFolders: new Set(),
    hasForeignChange: false,
    wasChanged: false,
    settled: before,
    pending: [],
  }
}

function settle(track: Track | undefined, change: ChangeLine, isClean: boolean): void {
  if (track === undefined || !track.pending.includes(change)) return
  track.settled = change.after
  track.wasChanged = true
  track.pending = track.pending.filter((pending) => pending !== change)
  if (isClean) track.hasForeignChange = false
}
