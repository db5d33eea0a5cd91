export type { ChangeOptions } from './change-file.ts'
export type { EditTool, EditToolOptions, EditToolResult } from './edit-tool.ts'
export { createEditTool } from './edit-tool.ts'
export type { FileInfo, FileOperations, OpenFile, WriteOptions, WriteOutcome } from './file-operations.ts'
export type { FileReadCacheOptions, SessionFileCache } from './file-read-cache.ts'
export { createFileReadCache } from './file-read-cache.ts'
export type { NotebookCell, NotebookOutput } from './notebook.ts'
export type {
  NotebookEditTool,
  NotebookEditToolOptions,
  NotebookEditToolResult,
} from './notebook-edit-tool.ts'
export { createNotebookEditTool } from './notebook-edit-tool.ts'
export type { PageRange } from './page-range.ts'
export type { PatchHunk } from './patch.ts'
export type { ImageBytes, ImageLimits, ShrinkImage } from './read-image.ts'
export type { ExtractPdfPages } from './read-pdf.ts'
export type {
  FileView,
  ImageDimensions,
  ImageView,
  NotebookView,
  PdfView,
  ReadToolResult,
  TextView,
  UnchangedView,
} from './read-result.ts'
export type { ReadTool, ReadToolOptions } from './read-tool.ts'
export { createReadTool } from './read-tool.ts'
export type { ImageMediaType } from './sniff-image.ts'
export type { WriteTool, WriteToolOptions, WriteToolResult } from './write-tool.ts'
export { createWriteTool } from './write-tool.ts'
