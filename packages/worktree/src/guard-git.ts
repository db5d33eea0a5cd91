import { isAbsolute } from 'node:path'
import type { ShellWord, SimpleCommand } from '@x/shell-analysis'

/** A place that an option or variable sends git to; without a path when only the shell knows it. */
export interface GitPlace {
  /** The option or variable. */
  readonly option: string
  /** The path as written. */
  readonly path: string | undefined
}

const variables = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_NAMESPACE',
  'CDPATH',
  'OLDPWD',
])

/** Does the variable decide which repository or folder is meant? */
export function isGitVariable(name: string): boolean {
  return variables.has(name)
}

const declarers = new Set(['export', 'declare', 'typeset', 'local', 'readonly'])
const placeOptions = ['-C', '--git-dir', '--work-tree']
/** Other options in front of the subcommand whose value is a word of its own. */
const valueOptions = new Set(['-c', '--namespace', '--super-prefix', '--config-env', '--exec-path'])

/** Finds where the options of git in front of its subcommand, or an `export`, send it. */
export function gitPlaces(command: SimpleCommand): readonly GitPlace[] {
  const { program, argv } = command
  if (program !== undefined && declarers.has(program)) return declaredPlaces(argv.slice(1))
  return program === 'git' ? optionPlaces(argv.slice(1)) : []
}

function declaredPlaces(words: readonly ShellWord[]): readonly GitPlace[] {
  return words.flatMap(({ prefix, value }) => {
    const [, name = ''] = /^([A-Za-z_]+)=/.exec(prefix) ?? []
    return isGitVariable(name) ? [{ option: name, path: value?.slice(name.length + 1) }] : []
  })
}

function optionPlaces(words: readonly ShellWord[]): readonly GitPlace[] {
  const places: GitPlace[] = []
  // Each -C goes on from the one before, and the other paths from where that leads.
  let folder: string | undefined = ''
  let rest = words
  for (let word = rest[0]; word !== undefined; word = rest[0]) {
    // Whatever it becomes, it may be an option.
    if (word.value === undefined && !word.prefix.startsWith('-')) {
      return [...places, { option: word.text, path: undefined }]
    }
    const { option, path, length } = readOption(word, rest[1])
    if (!option.startsWith('-')) break
    rest = rest.slice(length)
    if (!placeOptions.includes(option)) continue
    const place: GitPlace = { option, path: joinPaths(folder, path) }
    if (option === '-C') folder = place.path
    places.push(place)
  }
  return places
}

/** One option with its value, which stands behind `=` or in the next word. */
function readOption(
  { value, prefix }: ShellWord,
  next: ShellWord | undefined,
): GitPlace & { readonly length: 1 | 2 } {
  const [option, joined] = splitOption(value ?? prefix)
  if (joined !== undefined) return { option, path: value === undefined ? undefined : joined, length: 1 }
  const takesNext = placeOptions.includes(option) || valueOptions.has(option)
  return { option, path: next?.value, length: takesNext ? 2 : 1 }
}

function joinPaths(folder: string | undefined, path: string | undefined): string | undefined {
  if (folder === undefined || path === undefined) return undefined
  return folder === '' || isAbsolute(path) ? path : `${folder}/${path}`
}

function splitOption(text: string): readonly [string, string | undefined] {
  const equals = text.startsWith('--') ? text.indexOf('=') : -1
  return equals === -1 ? [text, undefined] : [text.slice(0, equals), text.slice(equals + 1)]
}
