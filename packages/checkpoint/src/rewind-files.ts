import type { FileChange } from '@x/contract'
import { indexOfMessage } from './history.ts'
import { type ChangePlan, type PlanSettings, planFile } from './plan-file.ts'
import type { RecordedChange, Recorder } from './recorder.ts'
import { replaceFile } from './replace-file.ts'
import type { FailedFile, RewindOutcome, RewoundFile, SkippedFile } from './rewind-outcome.ts'
import { type FileTrace, traceFiles } from './trace-files.ts'

/** How files are brought back. */
export interface RewindRequest {
  readonly messageId: string
  readonly dryRun: boolean
  readonly overwriteUserChanges: boolean
  readonly signal: AbortSignal | undefined
}

/** What rewinding needs. */
export interface RewindSettings extends Omit<PlanSettings, 'store'> {
  readonly recorder: Recorder
}

/** Brings every file changed since a message back, one after the other: looks, keeps what is there, replaces, notes it. */
export async function rewindFiles(request: RewindRequest, settings: RewindSettings): Promise<RewindOutcome> {
  const { messageId, signal } = request
  const { spans } = await settings.recorder.load()
  if (indexOfMessage(spans, messageId) === -1) return { type: 'unknown-message', messageId }
  const lists: Lists = { changed: [], conflicts: [], skipped: [], failed: [] }
  const traces = traceFiles(spans, messageId)
  for (const trace of traces) {
    signal?.throwIfAborted()
    await rewindFile(trace, lists, { ...request, ...settings })
  }
  if (!request.dryRun) await removeMadeFolders(traces, settings)
  const type = request.dryRun ? 'planned' : lists.failed.length > 0 ? 'incomplete' : 'rewound'
  const total = (field: 'insertions' | 'deletions'): number =>
    lists.changed.reduce((sum, file) => sum + file[field], 0)
  return { type, messageId, ...lists, insertions: total('insertions'), deletions: total('deletions') }
}

interface Lists {
  readonly changed: RewoundFile[]
  readonly conflicts: RewoundFile[]
  readonly skipped: SkippedFile[]
  readonly failed: FailedFile[]
}

type Job = RewindRequest & RewindSettings

async function rewindFile(trace: FileTrace, lists: Lists, job: Job): Promise<void> {
  const { path } = trace
  try {
    const plan = await planFile(trace, { ...job, store: job.recorder.store })
    if (plan.type === 'unchanged') return
    if (plan.type === 'skip') return void lists.skipped.push({ path, reason: plan.reason })
    const file = toRewoundFile(path, plan)
    if (plan.isConflict && !job.overwriteUserChanges) return void lists.conflicts.push(file)
    if (job.dryRun) return void lists.changed.push(file)
    const outcome = await carryOut(path, plan, job)
    if (outcome.type === 'changed') return void lists.conflicts.push({ ...file, hasUserChanges: true })
    lists.changed.push(outcome.keptAs === undefined ? file : { ...file, keptAs: outcome.keptAs })
  } catch (error) {
    lists.failed.push({ path, message: error instanceof Error ? error.message : String(error) })
  }
}

function toRewoundFile(path: string, plan: ChangePlan): RewoundFile {
  const { action, isConflict, isBinary, insertions, deletions } = plan
  return { path, action, hasUserChanges: isConflict, isBinary, insertions, deletions }
}

interface CarriedOut {
  readonly type: 'done' | 'changed'
  readonly keptAs?: string
}

/** A rewind is recorded like a change by a tool, so that it can be repeated, followed by others, and taken back. */
async function carryOut(path: string, plan: ChangePlan, job: Job): Promise<CarriedOut> {
  const { recorder, operations, messageId } = job
  const { present, content } = plan
  assertLoaded(plan)
  const change: FileChange = { path, before: present.content, after: content && [content.bytes] }
  const recorded = await recorder.record(change, { rewindTo: messageId })
  const keptAs = plan.isConflict ? placeOfCopy(recorded, recorder) : undefined
  const type = await replaceFile(path, { content, expected: present.facts, operations })
  if (recorded !== undefined && type === 'done') await recorder.noteWritten(recorded.line.number)
  return { type, ...(keptAs !== undefined && { keptAs }) }
}

function assertLoaded({ isConflict, present }: ChangePlan): void {
  if (isConflict && present.state === 'unknown')
    throw new Error('Somebody else has changed it since, and it is too large to keep a copy of that.')
}

/** @throws Error if what somebody else has done would be lost. */
function placeOfCopy(recorded: RecordedChange | undefined, { store }: Recorder): string {
  if (recorded?.isSafe !== true || recorded.line.before === null)
    throw new Error('Somebody else has changed it since, and a copy of that could not be kept.')
  return store.pathOf(recorded.line.before.digest)
}

/** Folders made for files that are gone go too, the deepest first; one that is not empty stays. */
async function removeMadeFolders(
  traces: readonly FileTrace[],
  { operations }: RewindSettings,
): Promise<void> {
  const gone = traces.filter(({ target }) => target === null)
  const folders = new Set(gone.flatMap(({ madeFolders }) => [...madeFolders]))
  for (const folder of [...folders].toSorted((left, right) => right.length - left.length)) {
    await operations.removeFolder(folder).catch(() => {})
  }
}
