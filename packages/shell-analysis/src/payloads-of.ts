import { commandOptions } from './command-options.ts'
import { findPayloads } from './find-payloads.ts'
import { gitPayloads } from './git-payloads.ts'
import { optionPayloads } from './option-payloads.ts'
import { joinScript, type Payload, type Starter } from './payload.ts'
import { sedPayloads } from './sed-payloads.ts'
import { shellPayloads } from './shell-payloads.ts'
import { holdsCommand } from './variables.ts'
import { restOfWord } from './word.ts'
import { wrapperPayloads } from './wrapper-payloads.ts'
import { wrappers } from './wrappers.ts'
import { xargsPayloads } from './xargs-payloads.ts'

/** Finds what a command starts by itself: nothing for most. */
export function payloadsOf(starter: Starter): Payload[] {
  const wrapper = wrappers.get(starter.program)
  if (wrapper) return wrapperPayloads(starter, wrapper)
  const table = commandOptions.get(starter.program)
  if (table) return optionPayloads(starter, table, 'option')
  return finders.get(starter.program)?.(starter) ?? []
}

const finders: ReadonlyMap<string, (starter: Starter) => Payload[]> = new Map([
  ...['sh', 'bash', 'dash', 'ash', 'ksh', 'mksh', 'zsh', 'rbash', 'yash', 'fish', 'csh', 'tcsh'].map(
    (name) => [name, shellPayloads] as const,
  ),
  ['eval', evalPayloads],
  ['xargs', xargsPayloads],
  ['gxargs', xargsPayloads],
  ['find', findPayloads],
  ['gfind', findPayloads],
  ['git', gitPayloads],
  ['sed', sedPayloads],
  ['gsed', sedPayloads],
  ['trap', trapPayloads],
  ['alias', aliasPayloads],
  ['export', exportPayloads],
  ['declare', exportPayloads],
  ['typeset', exportPayloads],
  ['coproc', hiddenPayloads],
  ...['parallel', 'hyperfine', 'bwrap', 'gdb', 'expect'].map((name) => [name, hiddenPayloads] as const),
  ['source', sourcePayloads],
  ['.', sourcePayloads],
  ...['mapfile', 'readarray', 'compgen', 'complete', 'bind', 'fc'].map(
    (name) => [name, callbackPayloads] as const,
  ),
])

function evalPayloads({ head, rest }: Starter): Payload[] {
  const words = rest[0]?.value === '--' ? rest.slice(1) : rest
  return words.length === 0 ? [] : [joinScript(words, head, { kind: 'eval' })]
}

function trapPayloads({ rest }: Starter): Payload[] {
  const words = rest.filter((word) => word.value !== '--')
  const [action] = words
  if (action === undefined || action.value?.startsWith('-') || words.length < 2) return []
  return [joinScript([action], action, { kind: 'trap' })]
}

function aliasPayloads({ rest }: Starter): Payload[] {
  return rest.flatMap((word): Payload[] => {
    if (word.value === undefined) return [{ kind: 'problem', message: 'The alias is not known', word }]
    const equals = word.value.indexOf('=')
    if (equals < 0) return []
    const via = { kind: 'alias', name: word.value.slice(0, equals) } as const
    return [{ kind: 'script', text: word.value.slice(equals + 1), word, via }]
  })
}

/** `export PAGER='command'` is for programs that come later. */
function exportPayloads({ rest }: Starter): Payload[] {
  return rest.flatMap((word): Payload[] => {
    const [name = ''] = word.prefix.split('=', 1)
    if (!holdsCommand(name) || name === word.value) return []
    const value = restOfWord(word, name.length + 1)
    return [joinScript([value], word, { kind: 'variable', name })]
  })
}

function hiddenPayloads({ program, head }: Starter): Payload[] {
  return [{ kind: 'problem', message: `What ${program} runs is not known`, word: head }]
}

/** A named file is a script like any other program; a pipe is a hidden one. */
function sourcePayloads({ rest }: Starter): Payload[] {
  const file = rest.find((word) => word.value !== '--')
  if (file === undefined || (file.value !== undefined && !file.value.startsWith('/dev/'))) return []
  return [{ kind: 'problem', message: 'The script file is not known', word: file }]
}

/** Builtins with an option that takes a command to call back. */
function callbackPayloads({ program, rest }: Starter): Payload[] {
  const word = rest.find((one) => one.value === undefined || /^-\w*[CFxfes]/.test(one.value))
  return word ? [{ kind: 'problem', message: `What ${program} calls is not known`, word }] : []
}
