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
  for (let at = 0; at < words.length; at += 1) {
    const { value, prefix = '', text = '' } = words[at] ?? {}
    // Whatever it becomes, it may be an option.
    if (value === undefined && !prefix.startsWith('-')) return [...places, { option: text, path: undefined }]
    const [option = '', joined] = splitOption(value ?? prefix)
    if (!option.startsWith('-')) break
    const takesNext = joined === undefined && (placeOptions.includes(option) || valueOptions.has(option))
    if (takesNext) at += 1
    if (!placeOptions.includes(option)) continue
    const path: string | undefined = joinPaths(folder, takesNext ? words[at]?.value : value && joined)
    if (option === '-C') folder = path
    places.push({ option, path })
  }
  return places
}

function joinPaths(folder: string | undefined, path: string | undefined): string | undefined {
  if (folder === undefined || path === undefined) return undefined
  return folder === '' || isAbsolute(path) ? path : `${folder}/${path}`
}

function splitOption(text: string): readonly [string, string | undefined] {
  const equals = text.startsWith('--') ? text.indexOf('=') : -1
  return equals === -1 ? [text, undefined] : [text.slice(0, equals), text.slice(equals + 1)]
}
