import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import { analyzeShell, type ShellAnalysis, type ShellWord, type SimpleCommand } from '@x/shell-analysis'
import type { Fence } from './fence.ts'
import { gitPlaces, isGitVariable } from './guard-git.ts'

const MAX_FOLDERS = 16

/** Finds what a script would do to the main checkout, or why that cannot be told. */
export async function checkShell(command: string, cwd: string, fence: Fence): Promise<string | undefined> {
  const script = analyzeShell(command)
  const shape = describeShape(script)
  if (shape !== undefined) return shape
  const visited = new Set([cwd])
  let folders: ReadonlySet<string> = visited
  const isCertain = followChain(script)
  for (const simple of script.commands) {
    if (!isCertain(simple)) folders = visited
    const target = await findFolder(simple, folders, fence)
    if (typeof target === 'string') return target
    for (const folder of target) visited.add(folder)
    if (visited.size > MAX_FOLDERS) return 'it changes the folder too often to be verified'
    if (target.size > 0 && isCertain(simple)) folders = target
    const problem = await checkGit(simple, folders, fence)
    if (problem !== undefined) return problem
  }
  return checkWrites(script, visited, fence)
}

/**
 * Tells whether a command runs only if all before it have succeeded: a plain chain of `&&`. There the folder is known after each
 * `cd`; elsewhere a `cd` may not have happened, so every folder so far is possible.
 */
function followChain({ source, commands }: ShellAnalysis): (command: SimpleCommand) => boolean {
  let end = 0
  let breaksAt = Number.POSITIVE_INFINITY
  for (const { via, span, index } of commands) {
    if (via.length > 0) continue
    const gap = source.slice(end, span.start).trim()
    if (gap !== (end === 0 ? '' : '&&')) {
      breaksAt = index
      break
    }
    end = span.end
  }
  return ({ index, via }) => via.length === 0 && index < breaksAt
}

/** Shapes whose words are known only to the shell that runs them. */
function describeShape(script: ShellAnalysis): string | undefined {
  if (!script.isUnderstood)
    return `the command cannot be verified (${script.problems[0]?.message ?? 'not understood'})`
  if (script.commands.some(({ argv }) => argv.some(hasBraces))) {
    return 'the command cannot be verified (brace expansion: write the words out)'
  }
  if (script.redirections.some((redirection) => isOpenHeredoc(script.source, redirection))) {
    return "the command cannot be verified (unquoted here-document: quote its end word, as in <<'EOF')"
  }
  return undefined
}

function hasBraces({ pieces }: ShellWord): boolean {
  return pieces.some((piece) => piece.kind === 'unknown' && /^\{.*(,|\.\.).*\}/s.test(piece.text))
}

/** An end word without quotes lets the shell expand the text. */
function isOpenHeredoc(source: string, { operator, span }: ShellAnalysis['redirections'][number]): boolean {
  return (operator === '<<' || operator === '<<-') && !/['"\\]/.test(source.slice(span.start, span.end))
}

const movers = new Set(['cd', 'chdir', 'pushd', 'popd'])

/** The folders that a `cd` may lead to; none for another command; a text when that cannot be allowed. */
async function findFolder(
  { program, argv }: SimpleCommand,
  folders: ReadonlySet<string>,
  fence: Fence,
): Promise<ReadonlySet<string> | string> {
  if (program === 'env') return (await checkEnvFolder(argv, folders, fence)) ?? new Set()
  if (program === undefined || !movers.has(program)) return new Set()
  const target = targetOf(program, argv.slice(1))
  if (target === undefined) return `the folder that ${program} goes to cannot be verified: write it out`
  const next = new Set([...folders].map((folder) => resolvePath(target, folder)))
  for (const folder of next) {
    const reached = await fence.reaches(folder, folder)
    if (reached !== undefined) return `${program} would go to ${reached}`
  }
  return next
}

/** The folder a mover names; undefined when only the shell knows. */
function targetOf(program: string, words: readonly ShellWord[]): string | undefined {
  const [target, ...more] = words.filter(
    ({ value }) => value === undefined || !/^(-[LPe@n]+|--)$/.test(value),
  )
  if (target === undefined) return words.length === 0 && /^(cd|chdir)$/.test(program) ? homedir() : undefined
  if (more.length > 0 || /^[-+]/.test(target.text)) return undefined
  return pathOf(target)
}

async function checkEnvFolder(
  argv: readonly ShellWord[],
  folders: ReadonlySet<string>,
  fence: Fence,
): Promise<string | undefined> {
  const at = argv.findIndex(({ prefix }) => /^(-C|--chdir)/.test(prefix))
  if (at === -1) return undefined
  const joined = argv[at]?.value?.replace(/^(-C|--chdir=)/, '')
  const next = argv[at + 1]
  const path = joined !== '' && joined !== '--chdir' ? joined : next === undefined ? undefined : pathOf(next)
  return checkPath(path, { folders, fence, what: 'env would run in' })
}

async function checkGit(
  command: SimpleCommand,
  folders: ReadonlySet<string>,
  fence: Fence,
): Promise<string | undefined> {
  const variables = command.assignments.filter(({ name }) => isGitVariable(name))
  for (const { name, value } of variables) {
    const problem = await checkPath(value, { folders, fence, what: `${name} would lead to` })
    if (problem !== undefined) return problem
  }
  for (const { path, option } of gitPlaces(command)) {
    const problem = await checkPath(path, { folders, fence, what: `git ${option} would lead to` })
    if (problem !== undefined) return problem
  }
  return undefined
}

interface PathQuestion {
  readonly folders: ReadonlySet<string>
  readonly fence: Fence
  readonly what: string
}

/** Checks a path against every folder the shell may be in. */
async function checkPath(
  path: string | undefined,
  { folders, fence, what }: PathQuestion,
): Promise<string | undefined> {
  if (path === undefined) return `${what} a place that cannot be verified: write it out`
  for (const folder of folders) {
    const reached = await fence.reaches(resolvePath(path, folder), folder)
    if (reached !== undefined) return `${what} ${reached}`
  }
  return undefined
}

/** Files that the script is known to write. Those of other programs are not known, and no reason to refuse. */
async function checkWrites(
  script: ShellAnalysis,
  folders: ReadonlySet<string>,
  fence: Fence,
): Promise<string | undefined> {
  for (const { word } of script.writes) {
    const path = pathOf(word)
    if (path === undefined) continue
    const problem = await checkPath(path, { folders, fence, what: 'the command would write' })
    if (problem !== undefined) return problem
  }
  return undefined
}

/** The path a word stands for; a leading `~` is known, other expansions are not. */
function pathOf(word: ShellWord): string | undefined {
  if (word.value !== undefined) return word.value
  const [first, second, ...more] = word.pieces
  if (first?.kind !== 'tilde' || first.user !== '' || more.length > 0) return undefined
  if (second === undefined) return homedir()
  return second.kind === 'text' ? `${homedir()}${second.value}` : undefined
}

function resolvePath(path: string, folder: string): string {
  return isAbsolute(path) ? path : resolve(folder, path)
}
