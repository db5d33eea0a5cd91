import { loadMemory, type Memory, type MemoryFile, type toInstructionsLoaded } from '@x/memory'
import { expectTypeOf, test } from 'vitest'

test('types say what may be asked and what comes', () => {
  expectTypeOf(loadMemory).returns.resolves.toEqualTypeOf<Memory>()
  expectTypeOf<MemoryFile['memoryType']>().toEqualTypeOf<'Managed' | 'User' | 'Project' | 'Local' | 'Auto'>()
  // The hook knows no auto memory.
  expectTypeOf<NonNullable<ReturnType<typeof toInstructionsLoaded>>['memory_type']>().toEqualTypeOf<
    'Managed' | 'User' | 'Project' | 'Local'
  >()
  expectTypeOf<Memory['forFile']>().parameter(0).toBeString()
  expectTypeOf<Memory['fork']>().returns.toEqualTypeOf<Memory>()
})

test('wrong options do not compile', () => {
  // @ts-expect-error managed files are always read
  void loadMemory({ sources: ['managed'] })
  const reset = (memory: Memory): void => {
    // @ts-expect-error only a compaction reads everything again
    void memory.reset('clear')
  }
  expectTypeOf(reset).toBeFunction()
})
