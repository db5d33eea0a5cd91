import { createHash } from 'node:crypto'
import type { TextBlock, UserMessage } from '@x/contract'
import { formatMemory, type Memory, type MemoryFile, toInstructionsLoaded } from '@x/memory'
import type { SessionHooks } from '../hooks/session-hooks.ts'
import type { SessionLog } from '../log/session-log.ts'
import { toReminder } from '../reminder.ts'

/** The instruction files of a session, and when the model is told of them. */
export interface SessionMemory {
  /** What stands before the next prompt: the instructions, unless the conversation has them as they are now. */
  beforePrompt(log: SessionLog): Promise<readonly UserMessage[]>
  /** What becomes relevant because a file was read; a text for the model each. */
  forRead(path: string, signal: AbortSignal): Promise<readonly string[]>
  /** The instructions as they are now, for a conversation that has become a summary; an agent has no part in automatic memory. */
  afterCompaction(
    signal: AbortSignal,
    options?: { readonly isAgent?: boolean },
  ): Promise<readonly TextBlock[]>
  /** What is wrong with the files, a line each. */
  readonly problems: readonly string[]
}

/** The kind of record that tells which instructions the conversation has. Ours: readers of other programs pass it over. */
const type = 'x-instructions'

/** Makes the memory of a session of what was loaded for it. Hooks hear of each file; nobody waits for them. */
export function createSessionMemory(
  memory: Memory | undefined,
  hooks: SessionHooks,
  signal: AbortSignal,
): SessionMemory {
  if (memory === undefined) return noMemory
  let toldDigest: string | undefined
  const tell = (files: readonly MemoryFile[]): void => {
    for (const file of files) {
      const input = toInstructionsLoaded(file)
      if (input !== undefined)
        void hooks.run('InstructionsLoaded', { ...input, globs: [...(input.globs ?? [])] }, signal)
    }
  }
  return {
    async beforePrompt(log) {
      const text = formatMemory(memory.files)
      const digest = createHash('sha256').update(text).digest('hex')
      toldDigest ??= readDigest(log)
      if (text === '' || digest === toldDigest) return []
      tell(memory.files)
      toldDigest = digest
      await log.note({ type, digest })
      return [toReminder(text)]
    },
    async forRead(path, callSignal) {
      const { files } = await memory.forFile(path, { signal: callSignal })
      tell(files)
      return files.length === 0 ? [] : [formatMemory(files)]
    },
    async afterCompaction(compactSignal, { isAgent = false } = {}) {
      const { files: all } = await memory.reset('compact', { signal: compactSignal })
      const files = isAgent ? all.filter(({ memoryType }) => memoryType !== 'Auto') : all
      tell(files)
      const text = formatMemory(files)
      return text === '' ? [] : [{ type: 'text', text }]
    },
    problems: memory.problems.map(({ message }) => message),
  }
}

function readDigest({ metadata }: SessionLog): string | undefined {
  const digest = metadata.get(type)?.['digest']
  return typeof digest === 'string' ? digest : undefined
}

const noMemory: SessionMemory = {
  beforePrompt: async () => [],
  forRead: async () => [],
  afterCompaction: async () => [],
  problems: [],
}
