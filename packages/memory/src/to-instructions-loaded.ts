import { isAbsolute } from 'node:path'
import type { LoadReason, MemoryFile, MemoryType } from './memory-file.ts'

/** What the InstructionsLoaded hook is told about one file. */
export interface InstructionsLoadedInput {
  /** The file, absolute. */
  readonly file_path: string
  /** Whose instructions they are. */
  readonly memory_type: Exclude<MemoryType, 'Auto'>
  /** Why it was loaded; the matcher of the hook is about it. */
  readonly load_reason: LoadReason
  /** The patterns of a rule that is for some files only. */
  readonly globs?: readonly string[]
  /** The file whose reading brought it. */
  readonly trigger_file_path?: string
  /** The file whose import brought it. */
  readonly parent_file_path?: string
}

/** The input of the InstructionsLoaded hook for a file that was loaded; nothing for auto memory and for text without a file. */
export function toInstructionsLoaded(file: MemoryFile): InstructionsLoadedInput | undefined {
  const { memoryType, globs, triggerFilePath, parentFilePath } = file
  if (memoryType === 'Auto' || !isAbsolute(file.path)) return undefined
  return {
    file_path: file.path,
    memory_type: memoryType,
    load_reason: file.loadReason,
    ...(globs === undefined ? {} : { globs }),
    ...(triggerFilePath === undefined ? {} : { trigger_file_path: triggerFilePath }),
    ...(parentFilePath === undefined ? {} : { parent_file_path: parentFilePath }),
  }
}
