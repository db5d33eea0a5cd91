import type { FoundPath } from './places.ts'

/** Folders whose files decide what programs run. `.x` holds the settings of this program. */
const folders: ReadonlySet<string> = new Set(
  '.git .vscode .idea .husky .cargo .devcontainer .yarn .mvn .claude .x'.split(' '),
)

const files: ReadonlySet<string> = new Set(
  [
    '.gitconfig .gitmodules .bashrc .bash_profile .bash_login .bash_aliases .bash_logout .zshrc .zprofile .zshenv',
    '.zlogin .zlogout .profile .envrc .npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs bunfig.toml',
    '.bunfig.toml .bazelrc .bazelversion .bazeliskrc .pre-commit-config.yaml lefthook.yml lefthook.yaml .lefthook.yml',
    '.lefthook.yaml gradle-wrapper.properties maven-wrapper.properties .devcontainer.json .ripgreprc',
    'pyrightconfig.json .mcp.json .claude.json',
  ].flatMap((line) => line.split(' ')),
)

/** Does a write to the path change what programs or this program will do? Upper and lower case do not matter. */
export function isProtectedPath({ all }: FoundPath): boolean {
  return all.some((path) => isProtected(path.toLowerCase().split('/')))
}

function isProtected(segments: readonly string[]): boolean {
  if (files.has(segments.at(-1) ?? '')) return true
  return segments.some((name, index) => {
    const next = segments[index + 1]
    if (name === '.config' && next === 'git') return true
    return folders.has(name) && !((name === '.claude' || name === '.x') && next === 'worktrees')
  })
}
