import { performance } from 'node:perf_hooks'
import { defineTool, type Tool, type ToolUseContext } from '@x/contract'
import { z } from 'zod'
import { applyFilter, type FileFilter, listFiles, toFilterArgs } from './file-filter.ts'
import { createFileSorter, type FileSorter } from './file-sorter.ts'
import { openSearch, type Search } from './run-search.ts'
import { findNul } from './search-args.ts'
import type { PathKind } from './search-operations.ts'
import {
  assertPositive,
  resolveSearchOptions,
  type SearchOptions,
  type SearchSettings,
} from './search-options.ts'
import { missingPath, openPlace, toAbsolutePath } from './search-path.ts'
import { splitPattern } from './split-pattern.ts'

/** Settings of {@link createGlobTool}. */
export interface GlobToolOptions extends SearchOptions {
  /** Most paths in a result; `limits.maxGlobResults` of the context wins. @default 100 */
  readonly maxResults?: number
  /** Leaves out what `.gitignore` and its like name. @default false */
  readonly respectsIgnoreFiles?: boolean
  /** Lists files whose name, or a folder's above them, begins with a dot. @default true */
  readonly includesDotfiles?: boolean
}

/** What Glob found. */
export interface GlobToolResult {
  /** How long it took. */
  readonly durationMs: number
  /** Paths in `filenames`. */
  readonly numFiles: number
  /** Newest first; relative to the working folder where they are below it, else absolute. */
  readonly filenames: readonly string[]
  /** There are more than are listed. */
  readonly truncated: boolean
  /** All that fit. */
  readonly totalMatches: number
  /** `totalMatches` is exact. */
  readonly countIsComplete: boolean
  /** For the model: what could not be listed. */
  readonly note?: string
}

const inputSchema = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .describe(
      'Glob pattern such as "**/*.ts" or "src/**/*.{js,jsx}". Without a slash it fits file names in any folder.',
    ),
  path: z.string().optional().describe('Folder to search in. Leave it out for the working folder.'),
})

/** The Glob tool, ready for a tool list. */
export type GlobTool = Tool<typeof inputSchema, GlobToolResult, never>

const DESCRIPTION = `Finds files by name pattern, newest first, in a code base of any size.
Lists at most 100 files and says when there are more. Paths are relative to the working folder where they are below it, else absolute. Hidden files and files that .gitignore names are listed too; folders of version control systems and .claude/worktrees are not. Several calls can run at once.
Not to find text in files: use Grep. Not to see what is in one folder: use ls through Bash. Not find through Bash: use this.`

/**
 * Makes the Glob tool.
 *
 * @throws RangeError if a limit is not a positive whole number.
 *
 * @example
 * const glob = createGlobTool({ maxResults: 50 })
 */
export function createGlobTool(options: GlobToolOptions = {}): GlobTool {
  const { maxResults = 100, respectsIgnoreFiles = false, includesDotfiles = true } = options
  assertPositive('maxResults', maxResults)
  const settings = { ...resolveSearchOptions(options), maxResults, respectsIgnoreFiles, includesDotfiles }
  return defineTool<typeof inputSchema, GlobToolResult>({
    name: 'Glob',
    description: DESCRIPTION,
    inputSchema,
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    interruptBehavior: () => 'cancel',
    async validateInput(input) {
      const message = findNul(input)
      return message === undefined ? { ok: true } : { ok: false, message }
    },
    async call(input, context) {
      return { data: await glob(input, context, settings) }
    },
    mapResult(output, toolUseId) {
      return { type: 'tool_result', tool_use_id: toolUseId, content: toText(output) }
    },
  })
}

interface GlobSettings extends SearchSettings {
  readonly maxResults: number
  readonly respectsIgnoreFiles: boolean
  readonly includesDotfiles: boolean
}

async function glob(
  input: z.output<typeof inputSchema>,
  context: ToolUseContext,
  settings: GlobSettings,
): Promise<GlobToolResult> {
  const startedAt = performance.now()
  const { folder, pattern } = splitPattern(input.pattern)
  const path = toAbsolutePath(folder, { ...context, cwd: toAbsolutePath(input.path, context) })
  const kind = await settings.operations.kindOf(path)
  if (kind !== 'folder' && folder === undefined) throw noFolder(path, kind, context)
  const search = openSearch(await openPlace(path, './', settings.operations), context, settings)
  const sorter = createFileSorter(search)
  const note = kind === 'folder' ? await findFiles(search, { ...settings, glob: pattern }, sorter) : undefined
  const sorted = await sorter.sort()
  const shown = sorted.slice(0, context.limits?.maxGlobResults ?? settings.maxResults)
  return {
    durationMs: Math.round(performance.now() - startedAt),
    numFiles: shown.length,
    filenames: shown.map((file) => search.toShown(file).toWellFormed()),
    truncated: shown.length < sorted.length,
    totalMatches: sorted.length,
    countIsComplete: true,
    ...(note === undefined ? {} : { note }),
  }
}

function noFolder(path: string, kind: PathKind, { cwd }: ToolUseContext): Error {
  return kind === 'missing'
    ? missingPath(path, cwd)
    : new Error(
        `Not a folder: ${path}. Glob lists the files of a folder; to look into a file use Read or Grep.`,
      )
}

async function findFiles(
  search: Search,
  filter: FileFilter,
  sorter: FileSorter,
): Promise<string | undefined> {
  const { accepts } = await applyFilter(search, filter)
  const { note } = await listFiles(search, toFilterArgs(filter, search.place), (file) => {
    if (accepts(file)) sorter.add(file)
    return true
  })
  return note
}

function toText({ filenames, truncated, totalMatches, note }: GlobToolResult): string {
  const parts = [filenames.length === 0 ? 'No files found' : filenames.join('\n')]
  if (truncated) {
    parts.push(
      `(Showing the ${filenames.length} newest of ${totalMatches} files. Use a narrower pattern or path for the others.)`,
    )
  }
  if (note !== undefined) parts.push(`(${note})`)
  return parts.join('\n\n')
}
