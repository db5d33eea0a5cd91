import { performance } from 'node:perf_hooks'
import { defineTool, type Tool, type ToolUseContext } from '@x/contract'
import { z } from 'zod'
import { newestFirst } from './newest-first.ts'
import { openSearch, type Search } from './run-search.ts'
import { findNul, NO_VERSION_CONTROL_ARGS, PLAIN_ARGS } from './search-args.ts'
import { describeWarning, joinText } from './search-note.ts'
import {
  assertPositive,
  resolveSearchOptions,
  type SearchOptions,
  type SearchSettings,
} from './search-options.ts'
import { findPlace } from './search-path.ts'

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
  /** What could not be listed. */
  readonly warning?: string
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
Lists at most 100 files and says when there are more. Paths are relative to the working folder where they are below it, else absolute. Hidden files and files that .gitignore names are listed too; folders of version control systems are not. Several calls can run at once.
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
      return { data: await listFiles(input, context, settings) }
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

async function listFiles(
  { pattern, path }: z.output<typeof inputSchema>,
  context: ToolUseContext,
  settings: GlobSettings,
): Promise<GlobToolResult> {
  const startedAt = performance.now()
  const place = await findPlace(path, context.cwd, settings.operations)
  const search = openSearch(place, context, settings)
  const { found, warning } = await collectPaths(search, toArgs(pattern, settings))
  const sorted = await newestFirst(found, search)
  const shown = sorted.slice(0, context.limits?.maxGlobResults ?? settings.maxResults)
  return {
    durationMs: Math.round(performance.now() - startedAt),
    numFiles: shown.length,
    filenames: shown.map((file) => search.toShown(file).toWellFormed()),
    truncated: shown.length < found.length,
    totalMatches: found.length,
    countIsComplete: true,
    ...(warning === undefined ? {} : { warning }),
  }
}

function toArgs(pattern: string, { respectsIgnoreFiles, includesDotfiles }: GlobSettings): readonly string[] {
  return [
    ...PLAIN_ARGS.filter((arg) => arg !== '--null'),
    '--files',
    respectsIgnoreFiles ? '--no-require-git' : '--no-ignore',
    ...(includesDotfiles ? ['--hidden'] : []),
    `--glob=${pattern.startsWith('!') ? `\\${pattern}` : pattern}`,
    ...NO_VERSION_CONTROL_ARGS,
    '--',
    './',
  ]
}

async function collectPaths(
  search: Search,
  args: readonly string[],
): Promise<{ readonly found: readonly string[]; readonly warning?: string }> {
  const found: string[] = []
  const { warning } = await search.run(args, (line) => {
    const file = search.toAbsolute(line)
    if (!search.isHidden(file)) found.push(file)
    return true
  })
  return warning === undefined ? { found } : { found, warning }
}

function toText({ filenames, truncated, totalMatches, warning }: GlobToolResult): string {
  return joinText(
    filenames.length === 0 ? 'No files found' : filenames.join('\n'),
    truncated
      ? `(Showing the ${filenames.length} newest of ${totalMatches} files. Use a narrower pattern or path for the others.)`
      : undefined,
    warning === undefined ? undefined : `(${describeWarning(warning)})`,
  )
}
