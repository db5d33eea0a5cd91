import type { FileReadCache, Tool } from '@x/contract'
import {
  createEditTool,
  createFileReadCache,
  createNotebookEditTool,
  createReadTool,
  createWriteTool,
  type EditToolResult,
  type FileOperations,
  type NotebookEditToolResult,
  type ReadToolResult,
  type WriteToolResult,
} from '@x/tools-files'
import { expectTypeOf, test } from 'vitest'

type Data<AnyTool extends { call(...args: never): unknown }> = Awaited<ReturnType<AnyTool['call']>>

test('the tools go into a list of tools', () => {
  expectTypeOf([createReadTool(), createWriteTool(), createEditTool(), createNotebookEditTool()]).toExtend<
    readonly Tool[]
  >()
})

test('a call knows its input and its result', () => {
  const [read, write, edit] = [createReadTool(), createWriteTool(), createEditTool()]
  expectTypeOf<Data<typeof read>>().toExtend<{ readonly data: ReadToolResult }>()
  expectTypeOf<Data<typeof write>>().toExtend<{ readonly data: WriteToolResult }>()
  expectTypeOf<Data<typeof edit>>().toExtend<{ readonly data: EditToolResult }>()
  expectTypeOf<Data<ReturnType<typeof createNotebookEditTool>>>().toExtend<{
    readonly data: NotebookEditToolResult
  }>()
  expectTypeOf<Parameters<typeof write.call>[0]>().toEqualTypeOf<{ file_path: string; content: string }>()
})

test('a part of the operations is no file system', () => {
  // @ts-expect-error: `write` and the others are missing
  createEditTool({ operations: { realpath: async (path: string) => path } })
  expectTypeOf(createFileReadCache()).toExtend<FileReadCache>()
  expectTypeOf<FileOperations['list']>().returns.resolves.toExtend<readonly string[]>()
})
