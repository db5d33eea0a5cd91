export { type AutoMemoryOptions, loadAutoMemory } from './auto-memory.ts'
export { formatMemory } from './format-memory.ts'
export { type LoadOptions, loadMemory, type Memory } from './load-memory.ts'
export type {
  LoadedMemory,
  LoadReason,
  MemoryFile,
  MemoryProblem,
  MemoryProblemCode,
  MemoryType,
  WaitingRule,
} from './memory-file.ts'
export type { ImportRequest, MemoryOptions, MemorySource } from './memory-options.ts'
export { type InstructionsLoadedInput, toInstructionsLoaded } from './to-instructions-loaded.ts'
