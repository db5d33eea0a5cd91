import type { FileHistory } from '@x/contract'
import type { MemoryFiles } from './memory-files.ts'

/** What a tool does that changes a file on a disk in memory; `undefined` removes it. */
export async function changeByTool(
  disk: MemoryFiles,
  { fileHistory }: { readonly fileHistory: FileHistory },
  [path, text]: readonly [path: string, text: string | undefined],
): Promise<void> {
  const file = disk.files.get(path)
  const before = file && { bytes: file.bytes, mode: file.mode }
  const after = text === undefined ? undefined : [Buffer.from(text)]
  const noteWritten = await fileHistory.beforeChange({ path, before, after })
  disk.put(path, text)
  await noteWritten()
}
