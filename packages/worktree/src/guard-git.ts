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
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]
    if (word === undefined) break
    const { value, prefix } = word
    // Whatever it becomes, it may be an option.
    if (value === undefined && !prefix.startsWith('-')) {
      places.push({ option: word.text, path: undefined })
      break
    }
    const [option = '', joined] = splitOption(value ?? prefix)
    if (placeOptions.includes(option)) {
      places.push({ option, path: value === undefined ? undefined : (joined ?? words[(at += 1)]?.value) })
    } else if (valueOptions.has(option) && joined === undefined) at += 1
    else if (!option.startsWith('-')) break
  }
  return places
}

function splitOption(text: string): readonly [string, string | undefined] {
  const equals = text.startsWith('--') ? text.indexOf('=') : -1
  return equals === -1 ? [text, undefined] : [text.slice(0, equals), text.slice(equals + 1)]
}
