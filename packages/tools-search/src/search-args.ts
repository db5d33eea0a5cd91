/** Folders of version control systems: never searched. */
const VERSION_CONTROL = ['.git', '.hg', '.svn', '.jj', '.sl', '.bzr', 'CVS']

/** Nothing from outside changes a search: no configuration file, no colours, no word about faulty ignore files. */
export const PLAIN_ARGS: readonly string[] = ['--no-config', '--color=never', '--no-ignore-messages']

/** Leaves the folders of version control systems out; the file `.git` of a worktree too. */
export const NO_VERSION_CONTROL_ARGS: readonly string[] = VERSION_CONTROL.map((name) => `--glob=!**/${name}`)

const WORKTREES = '.claude/worktrees'

/** Leaves worktrees below the place of the search out: they are copies of the whole project. */
export const NO_WORKTREES_ARG = `--glob=!**/${WORKTREES}`

/** Whoever names the folder of the worktrees means it. */
export function namesWorktrees(glob: string | undefined): boolean {
  return glob?.includes(WORKTREES) === true
}

/** Says which text holds a NUL; undefined if none does. No file name or argument can hold one. */
export function findNul(input: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, value] of Object.entries(input)) {
    if (typeof value === 'string' && value.includes('\0')) {
      return `\`${name}\` contains a NUL character. Remove it and try again.`
    }
  }
  return undefined
}
