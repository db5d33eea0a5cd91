import { defineTool, type Tool, type ToolUseContext } from '@x/contract'
import { searchContent } from './grep-content.ts'
import { countMatches } from './grep-count.ts'
import { searchFiles } from './grep-files.ts'
import { type GrepInput, grepInputSchema, type PageRequest } from './grep-input.ts'
import { type GrepToolResult, toGrepText } from './grep-result.ts'
import { type GrepTask, isIgnoredFolder, openTask } from './grep-task.ts'
import { openSearch } from './run-search.ts'
import { findNul } from './search-args.ts'
import {
  assertPositive,
  resolveSearchOptions,
  type SearchOptions,
  type SearchSettings,
} from './search-options.ts'
import { findPlace } from './search-path.ts'

/** Settings of {@link createGrepTool}. */
export interface GrepToolOptions extends SearchOptions {
  /** Most entries in a result when the call does not say. @default 250 */
  readonly headLimit?: number
  /** Most characters of a result, its notes included; cut between two entries. @default 20_000 */
  readonly maxResultChars?: number
}

/** The Grep tool, ready for a tool list. */
export type GrepTool = Tool<typeof grepInputSchema, GrepToolResult, never>

const DESCRIPTION = `Finds text in files by a regular expression (ripgrep), in a code base of any size.
Shows paths of files with a match, newest first; set output_mode to "content" for the lines with their numbers, or "count". Paths are relative to the working folder where they are below it, else absolute. Hidden files are searched; files that .gitignore names are not, unless path names the file or folder itself; folders of version control systems never. Results are limited and say how to get the rest. Several calls can run at once.
Not to find files by name: use Glob. Not to read a file that you know: use Read. Not grep or rg through Bash: use this.`

/**
 * Makes the Grep tool.
 *
 * @throws RangeError if a limit is not a positive whole number.
 *
 * @example
 * const grep = createGrepTool({ isHidden: (path) => path.endsWith('.env') })
 */
export function createGrepTool(options: GrepToolOptions = {}): GrepTool {
  const { headLimit = 250, maxResultChars = 20_000 } = options
  assertPositive('headLimit', headLimit)
  assertPositive('maxResultChars', maxResultChars)
  const settings = { ...resolveSearchOptions(options), headLimit, maxResultChars }
  return defineTool<typeof grepInputSchema, GrepToolResult>({
    name: 'Grep',
    description: DESCRIPTION,
    inputSchema: grepInputSchema,
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    interruptBehavior: () => 'cancel',
    // Cut here, between two entries.
    maxResultSizeChars: Infinity,
    async validateInput(input) {
      const message = findNul(input)
      return message === undefined ? { ok: true } : { ok: false, message }
    },
    async call(input, context) {
      return { data: await grep(input, context, settings) }
    },
    mapResult(output, toolUseId) {
      return { type: 'tool_result', tool_use_id: toolUseId, content: toGrepText(output) }
    },
  })
}

interface GrepSettings extends SearchSettings {
  readonly headLimit: number
  readonly maxResultChars: number
}

/** Characters kept free for what is said about a result. */
const NOTE_CHARS = 1000

async function grep(
  input: GrepInput,
  context: ToolUseContext,
  settings: GrepSettings,
): Promise<GrepToolResult> {
  const place = await findPlace(input.path, context, settings.operations)
  const search = openSearch(place, context, settings)
  const page = toPage(input, settings)
  const task = await openTask(search, input, { page, respectsIgnoreFiles: true })
  const result = await runTask(task)
  if (result.totalFiles !== 0 || !(await isIgnoredFolder(task))) return result
  return await runTask(await openTask(search, input, { page, respectsIgnoreFiles: false }))
}

function toPage(
  { offset = 0, head_limit }: GrepInput,
  { headLimit, maxResultChars }: GrepSettings,
): PageRequest {
  const limit = head_limit ?? headLimit
  return {
    offset,
    limit: limit === 0 ? Infinity : limit,
    maxChars: Math.max(1, maxResultChars - NOTE_CHARS),
  }
}

async function runTask(task: GrepTask): Promise<GrepToolResult> {
  switch (task.input.output_mode) {
    case 'content':
      return await searchContent(task)
    case 'count':
      return await countMatches(task)
    case 'files_with_matches':
    case undefined:
      return await searchFiles(task)
  }
}
