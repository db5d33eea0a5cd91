import type { FileContent } from '@x/contract'
import { countLines, type LineCounts } from './count-lines.ts'
import { digestOf } from './digest.ts'
import type { StateAfter, StateBefore } from './index-line.ts'
import { hasLinkAbove } from './make-folders.ts'
import type { CheckpointOperations, FileFacts } from './operations.ts'
import type { Store } from './store.ts'
import { type FileTrace, isSameState } from './trace-files.ts'

/** Why a file is not brought back. */
export type SkipReason =
  /** A symbolic link stands at the path or above it. */
  | 'symlink'
  /** The file has other names, which would change too. */
  | 'hard-link'
  /** A folder, a device or a pipe stands there now. */
  | 'not-a-file'
  /** Somebody has taken the right to write it away since. */
  | 'write-protected'
  /** `isInProject` said no. */
  | 'outside-project'
  /** It was too large to keep, or its copy could not be written or is damaged. */
  | 'not-kept'

/** What is to be done about one file. */
export type FilePlan =
  | { readonly type: 'unchanged' }
  | { readonly type: 'skip'; readonly reason: SkipReason }
  | ChangePlan

/** A file that has to change. */
export interface ChangePlan extends LineCounts {
  readonly type: 'change'
  readonly action: 'restore' | 'create' | 'remove'
  /** Somebody else has changed it since. */
  readonly isConflict: boolean
  readonly present: PresentFile
  /** What is to be there; `undefined`: nothing. */
  readonly content: FileContent | undefined
}

/** What is there now. */
interface PresentFile {
  readonly facts: FileFacts | undefined
  /** `undefined`: there is no file, or it is too large to be loaded. */
  readonly content: FileContent | undefined
  /** `unknown` for a file that was not loaded. */
  readonly state: StateAfter | 'unknown'
}

/** What planning needs to know. */
export interface PlanSettings {
  readonly store: Store
  readonly operations: CheckpointOperations
  readonly maxFileBytes: number
  readonly isInProject: (path: string) => boolean
}

/** Compares a file with what it was, and changes nothing. */
export async function planFile(trace: FileTrace, settings: PlanSettings): Promise<FilePlan> {
  const { path, target } = trace
  const facts = await settings.operations.stat(path)
  const obstacle = await findObstacle(path, facts, settings.operations)
  if (obstacle !== undefined) return { type: 'skip', reason: obstacle }
  const present = await readPresent(trace, facts, settings)
  const isExpected = trace.expected.some((state) => isState(present, state))
  if (isState(present, target) || isForeignAlone(trace, isExpected)) return { type: 'unchanged' }
  const prohibition = findProhibition(trace, facts, settings)
  if (prohibition !== undefined) return { type: 'skip', reason: prohibition }
  // Where nothing is, nothing can be overwritten.
  const isConflict = facts !== undefined && (trace.hasForeignChange || !isExpected)
  return target === null
    ? { type: 'change', action: 'remove', isConflict, present, ...describe(present, undefined) }
    : await planRestore(target, { present, isConflict, store: settings.store })
}

async function findObstacle(
  path: string,
  facts: FileFacts | undefined,
  operations: CheckpointOperations,
): Promise<SkipReason | undefined> {
  if (facts?.kind === 'link' || (await hasLinkAbove(path, operations))) return 'symlink'
  if (facts === undefined) return undefined
  if (facts.kind !== 'file') return 'not-a-file'
  return facts.linkCount > 1 ? 'hard-link' : undefined
}

/** No change of ours is known to have come through: what is there now is somebody else's, and no matter of ours. */
function isForeignAlone({ wasChanged }: FileTrace, isExpected: boolean): boolean {
  return !wasChanged && !isExpected
}

function findProhibition(
  { path, target }: FileTrace,
  facts: FileFacts | undefined,
  { isInProject }: PlanSettings,
): SkipReason | undefined {
  if (!isInProject(path)) return 'outside-project'
  // A rename asks only for rights on the folder: the file would be replaced silently.
  const isProtected = facts !== undefined && !isWritable(facts)
  return isProtected && (target === null || isWritable(target)) ? 'write-protected' : undefined
}

function isWritable({ mode }: { readonly mode: number }): boolean {
  return (mode & 0o200) !== 0
}

async function readPresent(
  { path, target, expected }: FileTrace,
  facts: FileFacts | undefined,
  { operations, maxFileBytes }: PlanSettings,
): Promise<PresentFile> {
  if (facts === undefined) return { facts, content: undefined, state: null }
  const isKnownSize = [target, ...expected].some((state) => state?.sizeBytes === facts.sizeBytes)
  if (facts.sizeBytes > maxFileBytes && !isKnownSize) return { facts, content: undefined, state: 'unknown' }
  const bytes = await operations.read(path)
  const state = { digest: digestOf([bytes]), sizeBytes: bytes.length }
  return { facts, content: { bytes, mode: facts.mode }, state }
}

function isState({ state }: PresentFile, other: StateAfter): boolean {
  return state !== 'unknown' && isSameState(state, other)
}

interface RestoreRequest {
  readonly present: PresentFile
  readonly isConflict: boolean
  readonly store: Store
}

async function planRestore(
  { digest, mode, copy }: NonNullable<StateBefore>,
  { present, isConflict, store }: RestoreRequest,
): Promise<FilePlan> {
  const bytes = copy === 'kept' ? await store.readCopy(digest) : undefined
  if (bytes === undefined) return { type: 'skip', reason: 'not-kept' }
  const { facts } = present
  // Tools keep the mode of a file, so a mode that differs is the user's.
  const content = { bytes, mode: facts === undefined || isConflict ? mode : facts.mode }
  const action = facts === undefined ? 'create' : 'restore'
  return { type: 'change', action, isConflict, present, ...describe(present, content) }
}

function describe(
  present: PresentFile,
  content: FileContent | undefined,
): LineCounts & Pick<ChangePlan, 'content'> {
  // Nobody reads the difference to a file that is too large to be loaded.
  if (present.state === 'unknown') return { content, insertions: 0, deletions: 0, isBinary: true }
  const nothing = new Uint8Array()
  return { content, ...countLines(present.content?.bytes ?? nothing, content?.bytes ?? nothing) }
}
