import type { Search } from './run-search.ts'
import { NO_VERSION_CONTROL_ARGS, NO_WORKTREES_ARG, namesWorktrees, PLAIN_ARGS } from './search-args.ts'
import type { SearchPlace } from './search-path.ts'

/** Which files of a place are looked at. */
export interface FileFilter {
  /** Only files that fit, or with `!` in front only those that do not. */
  readonly glob?: string | undefined
  /** Only files of this type of ripgrep's. */
  readonly type?: string | undefined
  /** Files and folders that `.gitignore` and its like name are left out. */
  readonly respectsIgnoreFiles: boolean
  /** Files and folders whose names begin with a dot are not left out. */
  readonly includesDotfiles: boolean
  /** Worktrees below the place are not left out. @default if the glob names them */
  readonly includesWorktrees?: boolean
}

/** The arguments that make ripgrep look at these files. Not exact on their own: see {@link applyFilter}. */
export function toFilterArgs(
  filter: FileFilter,
  place: Pick<SearchPlace, 'isInRepository'>,
): readonly string[] {
  const { includesWorktrees = namesWorktrees(filter.glob) } = filter
  return [
    ...toVisibilityArgs(filter, place),
    ...(filter.type === undefined ? [] : [`--type=${filter.type}`]),
    ...toGlobArgs(filter),
    // The last glob that fits a path wins, so these stand behind the caller's own.
    ...NO_VERSION_CONTROL_ARGS,
    ...(includesWorktrees ? [] : [NO_WORKTREES_ARG]),
  ]
}

/**
 * Narrows a search to exactly these files.
 *
 * To ripgrep a glob overrules ignore files, the rule on dotfiles and the type. Where that could matter, the files that pass
 * without the glob are listed first.
 */
export async function applyFilter(search: Search, filter: FileFilter): Promise<Search> {
  if (!isOverruling(filter)) return search
  const allowed = new Set<string>()
  const whole = { ...filter, glob: undefined, includesWorktrees: namesWorktrees(filter.glob) }
  await listFiles(search, toFilterArgs(whole, search.place), (file) => {
    allowed.add(file)
    return true
  })
  return { ...search, accepts: (file) => allowed.has(file) && search.accepts(file) }
}

/** Lists files by their absolute paths until `onFile` returns false. Names with a line break arrive whole. */
export async function listFiles(
  search: Search,
  filterArgs: readonly string[],
  onFile: (file: string) => boolean,
): Promise<{ readonly note?: string }> {
  let begun: string | undefined
  let isOpen = true
  const hand = (): void => {
    if (begun !== undefined && isOpen) isOpen = onFile(search.toAbsolute(begun))
  }
  const end = await search.run(
    [...PLAIN_ARGS, '--files', ...filterArgs, '--', search.place.target],
    (line) => {
      // Each path begins with `./`; a line that does not is the rest of a name with a line break in it.
      if (begun === undefined || line.startsWith('./')) {
        hand()
        begun = line
      } else {
        begun += `\n${line}`
      }
      return isOpen
    },
  )
  hand()
  return end
}

function toVisibilityArgs(
  { respectsIgnoreFiles, includesDotfiles }: FileFilter,
  { isInRepository }: Pick<SearchPlace, 'isInRepository'>,
): readonly string[] {
  // Without a repository ripgrep goes by no ignore file; told to do so all the same, it would not stop at the top of one.
  const outside = isInRepository ? [] : ['--no-require-git']
  return [...(respectsIgnoreFiles ? outside : ['--no-ignore']), ...(includesDotfiles ? ['--hidden'] : [])]
}

/** The name under which a glob becomes a type: types overrule nothing. */
const GLOB_TYPE = 'wanted'

function toGlobArgs(filter: FileFilter): readonly string[] {
  const { glob } = filter
  if (glob === undefined) return []
  return isTypeLike(filter) ? [`--type-add=${GLOB_TYPE}:${glob}`, `--type=${GLOB_TYPE}`] : [`--glob=${glob}`]
}

/** Types go by the name of the file alone, several widen the search, and they too overrule the rule on dotfiles. */
function isTypeLike({ glob = '', type, includesDotfiles }: FileFilter): boolean {
  return type === undefined && includesDotfiles && !/[/:]|^!/u.test(glob)
}

function isOverruling(filter: FileFilter): boolean {
  const { glob, type, respectsIgnoreFiles, includesDotfiles } = filter
  if (glob === undefined || glob.startsWith('!') || isTypeLike(filter)) return false
  return type !== undefined || respectsIgnoreFiles || !includesDotfiles
}
